#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the stand-in for a compiled device kernel: the least 32-bit RISC-V program that tt-metal's loader accepts.

The loader wants one loadable text segment that starts at the entry point, and a relocation section for it.
"""

import struct
import sys

TEXT_ADDRESS = 0x8000
RET, NOP = 0x00008067, 0x00000013
EM_RISCV, ET_EXEC, PT_LOAD = 243, 2, 1
PROGBITS, SYMTAB, STRTAB, RELA = 1, 2, 3, 4
R_RISCV_NONE = 0


def stand_in_kernel():
    text = struct.pack("<3I", NOP, NOP, RET)
    names = b"\0.text\0.rela.text\0.symtab\0.strtab\0"
    symbols = struct.pack("<IIIBBH", 0, 0, 0, 0, 0, 0) + struct.pack("<IIIBBH", 0, TEXT_ADDRESS, 0, 3, 0, 1)
    relocation = struct.pack("<IIi", TEXT_ADDRESS, 1 << 8 | R_RISCV_NONE, 0)

    offset = 52 + 32  # headers of the file and of one segment
    places, body = {}, b""
    for name, data in (("text", text), ("rela", relocation), ("symtab", symbols), ("names", names)):
        places[name] = (offset + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    header = b"\x7fELF\x01\x01\x01" + b"\0" * 9 + struct.pack(
        "<HHIIIIIHHHHHH", ET_EXEC, EM_RISCV, 1, TEXT_ADDRESS, 52, offset + len(body), 0, 52, 32, 1, 40, 5, 4)
    segment = struct.pack("<8I", PT_LOAD, places["text"][0], TEXT_ADDRESS, TEXT_ADDRESS, len(text), len(text), 5, 4)

    def section(name, kind, flags, address, place, link=0, info=0, entry=0):
        return struct.pack("<10I", names.find(name), kind, flags, address, *places[place], link, info, 4, entry)

    sections = b"\0" * 40
    sections += section(b".text\0", PROGBITS, 6, TEXT_ADDRESS, "text")
    sections += section(b".rela.text\0", RELA, 0x40, 0, "rela", link=3, info=1, entry=12)
    sections += section(b".symtab\0", SYMTAB, 0, 0, "symtab", link=4, info=2, entry=16)
    sections += section(b".strtab\0", STRTAB, 0, 0, "names")
    return header + segment + body + sections


if __name__ == "__main__":
    sys.stdout.buffer.write(stand_in_kernel())
