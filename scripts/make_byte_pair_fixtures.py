#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/text/byte_pair_cases.json: what Hugging Face's tokenizers make of our own texts.

    pip install tokenizers==0.20.3
    python3 scripts/make_byte_pair_fixtures.py

Three vocabularies: GPT-2's (scripts/fetch_weights gpt2-vocab), the same with CodeGen's added tokens, and that of
models/gpt2/scripture. The pipeline is that of GPT2TokenizerFast and CodeGenTokenizerFast.
"""
import json
import random
import subprocess
import sys
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "data" / "text" / "byte_pair_cases.json"
END_OF_TEXT = "<|endoftext|>"

TEXTS = [
    "", " ", "  ", "\n", "\t\t", " \n \n", "a", " a", "a ", "  a", "a  b", "a   b", "a \n b", "\n\nb", "a\u00a0b", "\u3000x\u3000\u3000y",
    "Hello, world!", "The dog was found in a field near the intersection of West and West Streets.",
    "don't can't it's we've they're I'm he'll she'd", "DON'T IT'S", "'s 't 're've", "''s", "x's's", " 's",
    "3.14159 and 1,000,000.00", "2024-01-31T12:00:00Z", "a1b2c3", "1st 2nd", "½ ² ① Ⅷ ٣٤ १२", "$5.00 100% #1 ^_^ ~/bin `ls`",
    "snake_case camelCase kebab-case", "https://example.org/a?b=c#d", "user@example.org", "C++ & C# <html>", "...!?!?", "--",
    "café naïve coöperation", "cafe\u0301", "Straße ßẞ", "Žluťoučký kůň", "ДЕРЕВНЯ Ёлка", "ΟΔΥΣΣΕΎΣ σς", "日本語のテキスト", "中文字符",
    "한국어 텍스트", "שלום עולם", "مرحبا بالعالم", "हिन्दी", "ไทย", "👍", "👨\u200d👩\u200d👧", "🇫🇷🏳️\u200d🌈", "e\u0301\u0323", "\u200b\u200d\ufeff", "\ufffd",
    "a\u2028b\u2029c", "a\x00b\x1fc\x7f", "\x85x\x85\x85", "\x1c\x1d\x1e\x1f a", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "𐍈𐌰", "<|endoftext|>", "a<|endoftext|>b", "<|endoftext|><|endoftext|>", "<|endoftext",
    "def hello_world():\n    print('hi')\n", "if x:\n\tif y:\n\t\treturn 1\n", "for i in range(10):\n        total += i\n            # deep\n",
    " " * 31 + "x", " " * 32 + "x", " " * 33, " " * 64, "\t" * 9, "\t" * 10, "\t" * 20 + "y", " \t \t ", "a" + " " * 5 + "b" + " " * 2 + "\n" + " " * 4 + "c",
    "class A:\n    def f(self):\n        return {\n            'a': 1,\n        }\n", "\r\n\r\n  x", "x  \n  y", "a" * 300, "ab" * 200, "zq" * 40 + "!" * 50,
    "I loved this movie! The acting was great, and the plot...", "This film is the worst thing I've ever seen.\nAvoid it.",
]
RANGES = [(0x20, 0x7F), (0x20, 0x7F), (0x9, 0xE), (0, 0x250), (0x250, 0x600), (0x900, 0x1000), (0x2000, 0x2070), (0x3000, 0x3100), (0x4E00, 0x4F00),
          (0x1F300, 0x1F600), (0x20, 0x21)]
BAD_BYTES = ["ff", "61ff62", "c3", "c328", "e282", "e28261", "f09f91", "f09f9161", "eda080", "f4908080", "c0af", "80", "e2e2", "f09ff09f918d", "61c3a9c3"]


def pipeline(vocab, merges, added=()):
    tokenizer = Tokenizer(BPE.from_file(str(vocab), str(merges)))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(END_OF_TEXT, special=True, normalized=True)])
    tokenizer.add_tokens([AddedToken(text, normalized=True) for text in added])
    return tokenizer


def main():
    fetched = subprocess.run([sys.executable, ROOT / "scripts" / "fetch_weights", "gpt2-vocab"], capture_output=True, text=True, check=True)
    files = Path(fetched.stdout.strip())
    scripture = ROOT / "models" / "gpt2" / "scripture"
    spaces = [" " * count for count in range(31, 1, -1)] + ["\t" * count for count in range(9, 1, -1)]
    tokenizers = {
        "gpt2": pipeline(files / "encoder.json", files / "vocab.bpe"),
        "codegen": pipeline(files / "encoder.json", files / "vocab.bpe", spaces),
        "scripture": pipeline(scripture / "vocab.json", scripture / "merges.txt"),
    }
    source = random.Random(7)
    texts = list(TEXTS)
    for _ in range(120):
        characters = []
        for _ in range(source.randint(1, 24)):
            low, high = source.choice(RANGES)
            characters.append(chr(source.randrange(low, high)))
        texts.append("".join(characters))
    cases = []
    for text in texts:
        case = {"text": text}
        for name, tokenizer in tokenizers.items():
            ids = tokenizer.encode(text).ids
            case[name] = ids
            if tokenizer.decode(ids, skip_special_tokens=False) != text:
                case[name + "_text"] = tokenizer.decode(ids, skip_special_tokens=False)
        cases.append(case)
    bad = [{"hex": code, "text": bytes.fromhex(code).decode("utf-8", errors="replace")} for code in BAD_BYTES]
    lines = ",\n".join(json.dumps(case, ensure_ascii=True) for case in cases)
    more = ",\n".join(json.dumps(case, ensure_ascii=True) for case in bad)
    CASES.write_text('{"cases": [\n' + lines + '\n],\n"bytes": [\n' + more + "\n]}\n", encoding="utf-8")
    print(f"{len(cases)} texts, {len(bad)} byte strings in {CASES}")


if __name__ == "__main__":
    main()
