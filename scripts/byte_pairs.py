# SPDX-License-Identifier: Apache-2.0
"""GPT-2's byte-level byte-pair encoding, trained and applied with Python's own library: what train_gpt2.py needs."""

import collections
import heapq
import json
import re
import unicodedata

END_OF_TEXT = "<|endoftext|>"


def byte_characters():
    """The printable character that stands for each byte, as GPT-2 writes them."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    table = {byte: chr(byte) for byte in plain}
    table.update({byte: chr(256 + index) for index, byte in enumerate(others)})
    return table


BYTES = byte_characters()


def splitter(text):
    """GPT-2's pattern; `re` lacks \\p{L} and \\p{N}, so the classes hold the characters that the text has."""
    letters, numbers = [], []
    for character in sorted(set(text)):
        kind = unicodedata.category(character)[0]
        (letters if kind == "L" else numbers if kind == "N" else []).append(re.escape(character))
    letter, number = "".join(letters) or "a", "".join(numbers) or "0"
    return re.compile(rf"'s|'t|'re|'ve|'m|'ll|'d| ?[{letter}]+| ?[{number}]+| ?[^\s{letter}{number}]+|\s+(?!\S)|\s+")


def spell(word):
    return tuple(BYTES[byte] for byte in word.encode("utf-8"))


def train(counts, merges):
    """The first `merges` most frequent pairs of a table of words and their counts, ties to the smaller pair."""
    words = [(list(spell(word)), count) for word, count in counts.items() if count > 1]
    pairs, where = collections.Counter(), collections.defaultdict(set)
    for index, (symbols, count) in enumerate(words):
        for pair in zip(symbols, symbols[1:]):
            pairs[pair] += count
            where[pair].add(index)
    # Counts in the heap may be old; an entry is believed when it says what the table says.
    heap = [(-count, pair) for pair, count in pairs.items()]
    heapq.heapify(heap)
    learned = []
    while len(learned) < merges and heap:
        count, best = heapq.heappop(heap)
        if pairs[best] != -count:
            continue
        learned.append(best)
        changed = set()
        for index in where.pop(best):
            symbols, times = words[index]
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] -= times
                changed.add(pair)
            symbols[:] = merge(symbols, best)
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += times
                where[pair].add(index)
                changed.add(pair)
        for pair in changed:
            if pairs[pair] > 0:
                heapq.heappush(heap, (-pairs[pair], pair))
    return learned


def merge(symbols, pair):
    merged, index = [], 0
    while index < len(symbols):
        if index + 1 < len(symbols) and (symbols[index], symbols[index + 1]) == pair:
            merged.append(symbols[index] + symbols[index + 1])
            index += 2
        else:
            merged.append(symbols[index])
            index += 1
    return merged


def vocabulary(merges):
    tokens = sorted(BYTES.values(), key=lambda character: list(BYTES.values()).index(character))
    tokens += ["".join(pair) for pair in merges] + [END_OF_TEXT]
    return {token: index for index, token in enumerate(tokens)}


class Encoder:
    def __init__(self, vocab, merges):
        self.vocab = vocab
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self.known = {}

    def word(self, word):
        if word not in self.known:
            symbols = list(spell(word))
            while len(symbols) > 1:
                best = min(zip(symbols, symbols[1:]), key=lambda pair: self.ranks.get(pair, len(self.ranks)))
                if best not in self.ranks:
                    break
                symbols = merge(symbols, best)
            self.known[word] = [self.vocab[symbol] for symbol in symbols]
        return self.known[word]

    def text(self, text, pattern):
        return [token for word in pattern.findall(text) for token in self.word(word)]


def save(directory, vocab, merges):
    (directory / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=False) + "\n", encoding="utf-8")
    lines = ["#version: 0.2", *(" ".join(pair) for pair in merges)]
    (directory / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def load(directory):
    vocab = json.loads((directory / "vocab.json").read_text(encoding="utf-8"))
    lines = (directory / "merges.txt").read_text(encoding="utf-8").splitlines()[1:]
    return vocab, [tuple(line.split(" ")) for line in lines]
