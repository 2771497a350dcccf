#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/text/: what Hugging Face's BERT tokenizer makes of our own sentences, with our own vocabulary.

    pip install tokenizers==0.23.3
    python3 scripts/make_wordpiece_fixtures.py            # cases and characters, from the committed vocabulary
    python3 scripts/make_wordpiece_fixtures.py --train    # a new vocabulary first

The pipeline is that of BertTokenizerFast. Offsets are written in bytes of the UTF-8 text.
"""
import argparse
import json
import random
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, normalizers, pre_tokenizers, processors, trainers
from tokenizers.models import WordPiece

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "text"
SENTENCES = DATA / "sentences.txt"
VOCAB = DATA / "vocab_small.txt"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
MAX_WORD = 100
RANDOM_RANGES = [(0x20, 0x7F), (0, 0x250), (0x250, 0x3000), (0x3000, 0xD800), (0xE000, 0x10000), (0x10000, 0x30000),
                 (0x300, 0x370), (0x1F300, 0x1F700)]
KINDS_WITH_OPTIONS = ("accents", "case", "cjk", "special")

OPTION_SETS = [
    {},
    {"do_lower_case": False},
    {"strip_accents": False},
    {"do_lower_case": False, "strip_accents": True},
    {"tokenize_chinese_chars": False},
    {"split_special_tokens": True},
    {"never_split": ["the", "##ing"]},
]

# (kind, texts); \N and \u escapes where a character cannot be seen.
HAND_WRITTEN = {
    "empty": ["", " ", "\n", "\t \r\n", "\u3000", "\u200b", "\ufffd", "\x00", "\x7f\x80"],
    "latin": [
        "The lighthouse keeper counted ships.", "the lighthouse keeper counted ships", "THE LIGHTHOUSE", "tHe",
        "a", "Z", "unbelievably", "re-reading well-known e-mails", "don't can't it's we've they're I'm",
        "3.14159 and 1,000,000.00", "x=y+z; f(x)->y", "C++ & C# <html>", "user@example.org https://example.org/a?b=c#d",
        "snake_case camelCase kebab-case", "$5.00 100% #1 ^_^ ~/bin `ls` |pipe|",
        "\"quoted\" 'single' (round) [square] {curly}",
        "...", "!?!?", "a.b.c", "--", "A1B2C3", "zzzzqqqq", "the the the", "The  harbour   at    night",
    ],
    "accents": [
        "café", "cafe\u0301", "Crème brûlée à la façon de Zoé", "CRÈME BRÛLÉE", "Ångström", "A\u030angstro\u0308m",
        "\u212bngstrom",
        "naïve coöperation", "Žluťoučký kůň", "Łódź", "Straße STRASSE", "ﬁn ﬂow", "Việt Nam tiếng Việt", "ệ",
        "e\u0323\u0302", "e\u0302\u0323",
        "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034da",
        "\u0301", "\u0301\u0301 a", "a\u0301 \u0301b",
        "ñandú año", "smørrebrød på bordet", "œuvre Æsop", "½ ² ™ ① Ⅷ", "o\u0315\u0300\u05ae\u0062", "\u1e9b\u0323",
    ],
    "case": [
        "İstanbul", "ISPARTA ıslak", "I İ ı i", "ΣΊΣΥΦΟΣ", "ὈΔΥΣΣΕΎΣ σς", "ΟΔΟΣ.", "ǅ Ǆ ǆ", "ẞ ß", "K Å Ω",
        "ДЕРЕВНЯ Ёлка Йод",
        "ԱՐԵՒ", "ᏣᎳᎩ ꮳꮃꭹ", "Ⴀ ა Ა", "𐐀𐐨", "Ȿ Ɀ Ꞓ", "\u1c89 \ua7cb \ua7dc \U00010d50 \U00016ea0",
    ],
    "cjk": [
        "今天天气很好", "我爱 Tokyo 和北京!", "日本語の文章です。", "カタカナ ガギグ がぎぐ", "한국어 문장입니다", "가각간", "각", "中a文b", "㐀㐁", "𠀀𠀁",
        "\U0002b820\U0002b920", "豈更車", "\ufa0e\ufa0f", "「引用」、『本』", "１２３ＡＢＣ", "〇", "々", "〆", "ㄅㄆㄇ", "中\u0301文",
        "\u3099か\u3099", "한\u302e글",
    ],
    "scripts": [
        "Привет, мир", "Ёжик в тумане", "שָׁלוֹם עולם", "السَّلامُ عَلَيْكُم", "नमस्ते दुनिया", "สวัสดีชาวโลก",
        "გამარჯობა", "ສະບາຍດີ", "বাংলা ভাষা", "தமிழ்",
        "ཨོཾ་མ་ཎི", "\u0f73\u0f75\u0f81", "ភាសាខ្មែរ", "မြန်မာ", "አማርኛ።", "ᠮᠣᠩᠭᠣᠯ", "\u166d \U000111c9 x\u166dy",
        "\u1734a \u1885b \ua9bd", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟘𝟙", "\U0001d15e\U0001d15f",
    ],
    "emoji": [
        "🙂", "hello🙂world", "👩\u200d🚀", "👍🏽", "🇫🇷🇯🇵", "1\ufe0f\u20e3", "❤\ufe0f", "☀ ☁ ☂",
        "🏴\U000e0067\U000e0062\U000e007f", "ship🚢 harbour⚓!", "😀😃😄 the end 😅",
    ],
    "control": [
        "a\x00b", "a\x01b\x02c", "a\x07\x08b", "tab\there", "line\nbreak", "cr\rlf\r\n", "v\x0bt", "f\x0cf",
        "\x1b[31mred", "a\x7fb", "a\x85b", "a\x9fb",
        "\x1ca\x1db\x1ec\x1f", "soft\u00adhyphen", "\ufeffbom", "a\ufeffb", "a\u200eb\u202ac\u202e", "\u2066x\u2069",
        "a\ue000b", "\U000f0000x\U0010fffd", "\uffff\ufffe a", "a\u0378b",
    ],
    "zero_width": [
        "zero\u200bwidth", "non\u200cjoin", "jo\u200din", "wo\u2060rd", "\u200b\u200b", "the\u200b harbour", "\u180ea",
        "a\u034fb", "a\u061cb", "a\u00ad",
    ],
    "replacement": ["\ufffd", "a\ufffdb", "\ufffd\ufffd the", "the \ufffd harbour", "\ufffc object"],
    "whitespace": [
        "a\u00a0b", "a\u2000b\u2001c\u2002d", "a\u2003b\u2009c\u200ad", "a\u2028b\u2029c", "a\u202fb\u205fc",
        "a\u3000b", "a\u1680b", "  lead", "trail  ", "\t\tthe\n\nend\r\n",
    ],
    "punctuation": [
        "«Bonjour» – dit-il — „ja“ ‚nein‘ …", "¿Qué? ¡No!", "、。・「」", "a·b", "a‐b‑c‒d–e—f", "§ ¶ † ‡ • ‰", "\u037e",
        "\u1fef", "ʼ ʻ ˈ", "॥ । ៖ ؟ ، ؛", "﹏ ＿ ！ ？", "¢ £ ¥ € + ± × ÷ = < > | ~ ^ `",
        "\u061d \u2e43 \u2e5d", "‿⁀⁔",
    ],
    "special": [
        "[CLS]", "[CLS] the [SEP]", "the[MASK]harbour", "[MASK]", "[MASK][MASK]", "[[MASK]]", "[ MASK ]", "[mask]",
        "[MASK", "MASK]", "[PAD] [UNK]", "x[UNK]y", "[SEP][CLS]",
        "é[SEP]é", "中[MASK]文", "##ing", "## ing", "#the", "##", "[CLS]\u0301a", "a\u0301[SEP]\u0301",
        "\u200b[CLS]\u200b", "[unused1]", "breathe there", "other##ing", "bathers", "the##ing", "weather",
    ],
    "long": [
        "a" * 99, "a" * 100, "a" * 101, "the" * 33, "the" * 34, "é" * 100, "e\u0301" * 100, "É" * 101,
        "\u200b" * 200 + "the", "가" * 33, "가" * 34, "가" * 51, "the " * 40, "-" * 120, "中" * 110,
        "a" * 1000, "é" * 150 + " the", "İ" * 60, "the\u0301\u0302" * 33,
    ],
}

INVALID = [
    b"\xff", b"a\xffb", b"the \xfe\xff harbour", b"caf\xe9", b"\xc3", b"\xc3(", b"\xe4\xb8", b"\xe4\xb8the",
    b"\xf0\x9f\x99", b"\xf0\x9f\x99 the", b"\xed\xa0\x80the", b"\xc0\x80a",
    b"\xc1\xbfa", b"\xe0\x80\x80", b"\xf4\x90\x80\x80the", b"\xf8\x88\x80\x80\x80", b"\x80\x80the\x80",
    b"the\xe4[SEP]\xb8", b"\xe4\xb8\xad\xe4\xb8\xe6\x96\x87", b"e\xcc\x81\xccthe", b"\xf0\x80\x80the",
]


def build(vocab, options):
    lower = options.get("do_lower_case", True)
    tokenizer = Tokenizer(WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=MAX_WORD))
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=options.get("tokenize_chinese_chars", True),
        strip_accents=options.get("strip_accents"), lowercase=lower)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = [t for t in SPECIAL + options.get("never_split", []) if t in vocab]
    tokenizer.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in special])
    tokenizer.encode_special_tokens = options.get("split_special_tokens", False)
    if "[CLS]" in vocab:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS]:0 $A:0 [SEP]:0", pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
            special_tokens=[("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])])
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    return tokenizer


def train():
    tokenizer = build({"[UNK]": 0}, {})
    trainer = trainers.WordPieceTrainer(vocab_size=1000, min_frequency=1, special_tokens=SPECIAL, show_progress=False)
    tokenizer.train([str(SENTENCES)], trainer)
    vocab = tokenizer.get_vocab()
    # The letters of the cases as they are written, for options that neither lower-case nor strip.
    written = "".join(text for kind in ("accents", "case", "special") for text in HAND_WRITTEN[kind])
    letters = sorted({c for c in written if c.isalpha()})
    letters += [chr(c) for c in range(ord("A"), ord("Z") + 1) if chr(c) not in letters]
    extra = ["The", "##É", "i\u0307", "##i\u0307", "\u0301", "##\u0301", "##\u0302", "##\u0323", "中文", "北京", "##文", "!?"]
    extra += [prefix + c for c in letters for prefix in ("", "##")]
    tokens = SPECIAL + [t for t in sorted(vocab, key=vocab.get) if t not in SPECIAL]
    tokens += [t for t in dict.fromkeys(extra) if t not in vocab]
    VOCAB.write_text("".join(t + "\n" for t in tokens), encoding="utf-8", newline="\n")


def characters_of(data):
    """The characters of bytes decoded with replacement, and the byte where each starts."""
    text, starts, at = "", [], 0
    while at < len(data):
        try:
            good, bad = data[at:].decode("utf-8"), None
        except UnicodeDecodeError as error:
            good, bad = data[at:at + error.start].decode("utf-8"), (at + error.start, at + error.end)
        for c in good:
            text += c
            starts.append(at)
            at += len(c.encode("utf-8"))
        if bad:
            text += "\ufffd"
            starts.append(bad[0])
            at = bad[1]
    return text, starts + [len(data)]


def result(encoding, starts):
    offsets = [[0, 0] if source is None else [starts[source][b], starts[source][e]]
               for (b, e), source in zip(encoding.offsets, encoding.sequence_ids)]
    return {"ids": encoding.ids, "offsets": offsets}


def random_text(rng, words):
    pools = [
        *(lambda first=first, end=end: chr(rng.randrange(first, end)) for first, end in RANDOM_RANGES),
        lambda: rng.choice(SPECIAL),
        lambda: rng.choice(" \t\n\u00a0\u3000\u200b"),
        lambda: rng.choice(words) + " ",
        lambda: rng.choice(words).upper(),
        lambda: rng.choice(words).capitalize(),
    ]
    chosen = rng.sample(pools, rng.choice([1, 2, 3, len(pools)]))
    return "".join(rng.choice(chosen)() for _ in range(rng.choice([1, 2, 5, 9, 16])))


def encode_cases(vocab, rng, words):
    groups = []
    for options in OPTION_SETS:
        tokenizer = build(vocab, options)
        cases = []
        texts = [(kind, text) for kind, group in HAND_WRITTEN.items() for text in group]
        if options:
            texts = [t for t in texts if t[0] in KINDS_WITH_OPTIONS]
        texts += [("random", random_text(rng, words)) for _ in range(120 if not options else 20)]
        if not options:
            texts += [("sentence", line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()[::4]]
        for kind, text in texts:
            _, starts = characters_of(text.encode("utf-8"))
            cases.append({"kind": kind, "text": text, **result(tokenizer.encode(text), [starts])})
        if not options:
            for data in INVALID:
                text, starts = characters_of(data)
                cases.append({"kind": "invalid", "hex": data.hex(), **result(tokenizer.encode(text), [starts])})
        groups.append({"options": options, "cases": cases})
    return groups


def pair_cases(vocab, rng, words):
    tokenizer = build(vocab, {})
    sentences = SENTENCES.read_text(encoding="utf-8").splitlines()
    pairs, windows = [], []
    for i in range(60):
        first, second = rng.choice(sentences), " ".join(rng.sample(sentences, rng.choice([0, 1, 2])))
        truncation = "only_second" if i % 2 else "longest_first"
        tokenizer.no_truncation()
        a, b = (len(tokenizer.encode(t, add_special_tokens=False)) for t in (first, second))
        least = a + 4 if truncation == "only_second" else 3
        max_length = None if i < 6 else rng.randrange(least, a + b + 8)
        if max_length:
            tokenizer.enable_truncation(max_length, strategy=truncation)
        starts = [characters_of(t.encode("utf-8"))[1] for t in (first, second)]
        encoding = tokenizer.encode(first, second)
        pairs.append({"first": first, "second": second, "max_length": max_length, "truncation": truncation,
                      "token_type_ids": encoding.type_ids, **result(encoding, starts)})
    for stride, room, count in [(0, 9, 2), (1, 2, 1), (4, 12, 2), (8, 24, 3), (16, 20, 2), (16, 64, 1), (3, 500, 2)]:
        question, context = rng.choice(sentences[:20]), " ".join(rng.sample(sentences, count))
        tokenizer.no_truncation()
        max_length = len(tokenizer.encode(question, add_special_tokens=False)) + 3 + room
        tokenizer.enable_truncation(max_length, stride=stride, strategy="only_second")
        starts = [characters_of(t.encode("utf-8"))[1] for t in (question, context)]
        encoding = tokenizer.encode(question, context)
        windows.append({"question": question, "context": context, "max_length": max_length, "doc_stride": stride,
                        "windows": [result(e, starts) for e in [encoding] + encoding.overflowing]})
    tokenizer.no_truncation()
    decoded = []
    for _ in range(60):
        text = rng.choice(sentences) if rng.random() < 0.5 else random_text(rng, words)
        ids = tokenizer.encode(text).ids
        if rng.random() < 0.3:
            ids = rng.choices(range(len(vocab)), k=rng.randrange(0, 12))
        skip = rng.random() < 0.5
        text = tokenizer.decode(ids, skip_special_tokens=skip)
        decoded.append({"ids": ids, "skip_special_tokens": skip, "text": text})
    return {"pairs": pairs, "windows": windows, "decoded": decoded}


def character_cases():
    """All of Unicode: how each character splits "a?b" (runs of equal results), and what it folds to on its own."""
    tiny = {"[UNK]": 0, "a": 1, "b": 2, "##b": 3}
    points = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    splits = []
    for options in ({}, {"do_lower_case": False}):
        tokenizer = build(tiny, options)
        runs = []
        for c in points:
            ids = tokenizer.encode(f"a{chr(c)}b").ids
            if runs and runs[-1][2] == ids and runs[-1][1] in (c - 1, 0xD7FF):
                runs[-1][1] = c
            else:
                runs.append([c, c, ids])
        splits.append({"options": options, "runs": runs})
    folds = []
    for options in ({}, {"strip_accents": False}):
        tokenizer = build(tiny, options)
        pairs = []
        for c in points:
            if 0xAC00 <= c <= 0xD7A3 or 0xF900 <= c <= 0xFAFF or c >= 0x2F800:
                continue  # Hangul and compatibility ideographs are too many; the differential run covers them
            folded = tokenizer.normalizer.normalize_str(chr(c)).strip()
            pieces = tokenizer.pre_tokenizer.pre_tokenize_str(folded)
            if folded != chr(c) and len(pieces) == 1:
                pairs.append([c, folded])
        folds.append({"options": options, "pairs": pairs})
    return {"splits": splits, "folds": folds}


def dump(path, value):
    """One case a line, ASCII only, so that invisible characters show in a diff."""
    def lines(node, depth):
        if isinstance(node, dict) and depth < 2 and any(isinstance(v, (list, dict)) for v in node.values()):
            body = ",\n".join(f"{json.dumps(k)}: {lines(v, depth + 1)}" for k, v in node.items())
            return "{\n" + body + "\n}"
        if isinstance(node, list) and node and isinstance(node[0], dict):
            is_group = bool(node[0].keys() & {"cases", "runs", "pairs"})
            return "[\n" + ",\n".join(lines(v, depth if is_group else 2) for v in node) + "\n]"
        return json.dumps(node, separators=(",", ":"))
    path.write_text(lines(value, 0) + "\n", encoding="ascii", newline="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", action="store_true", help="write a new vocab_small.txt from sentences.txt first")
    if parser.parse_args().train:
        train()
    tokens = VOCAB.read_text(encoding="utf-8").split("\n")[:-1]
    vocab = {token: i for i, token in enumerate(tokens)}
    assert len(vocab) == len(tokens), "duplicate tokens"
    rng = random.Random(20240611)
    words = [t.removeprefix("##") for t in tokens if t not in SPECIAL]
    groups = encode_cases(vocab, rng, words)
    dump(DATA / "wordpiece_cases.json", {"groups": groups[:1]})
    dump(DATA / "wordpiece_options.json", {"groups": groups[1:]})
    dump(DATA / "wordpiece_pairs.json", pair_cases(vocab, rng, words))
    dump(DATA / "wordpiece_characters.json", character_cases())


if __name__ == "__main__":
    main()
