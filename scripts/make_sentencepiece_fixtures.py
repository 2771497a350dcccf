#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/text/sentencepiece_cases.json: what Hugging Face's AlbertTokenizer makes of nasty texts.

    pip install transformers==4.46.3 tokenizers sentencepiece==0.1.97
    python3 scripts/make_sentencepiece_fixtures.py [--sdist transformers-4.13.0.tar.gz]

The tokenizer is the one with a spiece.model (the fast one does without the rule for commas after digits); the model file
is fetched by scripts/fetch_weights. The version of sentencepiece is Debian's: later ones break ties between equally
likely pieces ("eee") another way. With --sdist the ids that the test suite of transformers publishes for
albert-base-v2 are read from it and written too, after a check that the tokenizer gives them; without it they are kept.
"""
import argparse
import ast
import json
import random
import subprocess
import tarfile
from pathlib import Path

from make_wordpiece_fixtures import HAND_WRITTEN, RANDOM_RANGES
from transformers import AlbertTokenizer

SCRIPTS = Path(__file__).resolve().parent
OUT = SCRIPTS.parent / "tests" / "data" / "text" / "sentencepiece_cases.json"
OPTION_SETS = [{}, {"do_lower_case": False}, {"keep_accents": True}, {"do_lower_case": False, "keep_accents": True}]
SPECIAL = ["<unk>", "[CLS]", "[SEP]", "<pad>", "[MASK]"]

ALBERT = [
    "I was born in 92000, and this is falsé.", "9,9", "9,", "1,000,000", "in 1999, 2000, and 2001,", "3,14 is ~ pi, 42,",
    "x9,y", "room 7,8,9,", "(1,2)", "9,9,", " 12,345.67 ", "x²,y", "٣,٤", "१,२", "99,", "2,", "a2,000b", "1,2,3,4,5,6,7,8,9,10",
    "``quoted''", "''", "'''", "''''", "```", "`` ''", "it''s ``it''", "\u201cround\u201d \u2018single\u2019",
    "  many   spaces\there\n\nand\u00a0there\u3000now  ", "\u2003em\u2003space\u2003", "\x1cfile\x1dgroup\x1erecord\x1funit\x85next",
    "Hello\u2581World", "\u2581", "\u2581\u2581 a", "The capital of France is [MASK].", "[MASK][MASK] [MASK]",
    "[CLS] a [SEP] b <pad> <unk>", "[mask] [Mask] <PAD>", "a[MASK]b", " [MASK] ", "[MASK", "[CLS]\n[SEP]",
    "𝚺 𝐀𝚺 𝐀𝚺𝐁 ΑΣ ΑΣ. ΣΑΣ", "ℌ™ ㎏ ﷺ ㍿ ½ ⅓ Ⅻ ①", "ΟΔΥΣΣΕΥΣ ΣΑΣ", "İSTANBUL ISPARTA", "ǅ ẞ ſ K Å",
    "Hip-hip-hooray! C'est l'été; naïve café, coöperate.", "don't won't it's", "wow!!! ... ??? -- --- $5.00 100% #1",
    "A film so bad it's good<br /><br />10/10, would watch again, 7,5 of 10.", "supercalifragilisticexpialidocious",
]
PAIRS = [
    ("Who wrote it?", "The score was written by Ada in 1,843, and she gave it to a friend."),
    ("a", "b"), ("", "b"), ("a", ""), ("", ""),
    ("a long first text that goes on and on, and on", "short"),
    ("short", "a long second text that goes on and on, and on, with 9,9 of it"),
    ("both are of about the same length here", "both are of about the same length too"),
]
# The texts of the published ids: tests/test_tokenization_common.py of the same package.
PUBLISHED = [
    "Transformers (formerly known as pytorch-transformers and pytorch-pretrained-bert) provides general-purpose "
    "architectures (BERT, GPT-2, RoBERTa, XLM, DistilBert, XLNet...) for Natural Language Understanding (NLU) and "
    "Natural Language Generation (NLG) with over 32+ pretrained models in 100+ languages and deep interoperability "
    "between Jax, PyTorch and TensorFlow.",
    "BERT is designed to pre-train deep bidirectional representations from unlabeled text by jointly conditioning on "
    "both left and right context in all layers.",
    "The quick brown fox jumps over the lazy dog.",
]


def random_text(rng, words):
    pools = [
        *(lambda first=first, end=end: chr(rng.randrange(first, end)) for first, end in RANDOM_RANGES),
        lambda: rng.choice(SPECIAL),
        lambda: rng.choice(" \t\n\u00a0\u3000\u2581"),
        lambda: rng.choice(words) + " ",
        lambda: rng.choice(words).upper(),
        lambda: rng.choice(["9,", ",9", "''", "``", "7", ", "]),
    ]
    chosen = rng.sample(pools, rng.choice([1, 2, 3, len(pools)]))
    return "".join(rng.choice(chosen)() for _ in range(rng.choice([1, 2, 5, 9, 16])))


# Python's tables and ICU's may be of different age; characters that either does not know are left out.
def known(text):
    import unicodedata
    return all(unicodedata.category(c) not in ("Cn", "Cs") for c in text)


def groups(model, rng):
    texts = [text for kind, group in HAND_WRITTEN.items() if kind != "special" for text in group if "\x00" not in text]
    texts = [text for text in ALBERT + texts if known(text)]
    words = [word for text in ALBERT for word in text.split() if word]
    out = []
    for options in OPTION_SETS:
        tokenizer = AlbertTokenizer(model, **options)
        chosen = texts if not options else ALBERT + HAND_WRITTEN["accents"] + HAND_WRITTEN["case"]
        drawn = (random_text(rng, words) for _ in range(10_000))
        chosen = [t for t in chosen if known(t)] + [t for t in drawn if known(t) and "\x00" not in t][: 400 if not options else 60]
        out.append({"options": options, "cases": [
            {"text": text, "ids": tokenizer.encode(text, add_special_tokens=False)} for text in chosen]})
    return out


# Where an odd number of tokens is left for two longer texts, the Python tokenizer gives the odd one to the first text and
# the fast ones, which are followed here, to the longer one. Such pairs are left out.
def ambiguous(first, second, room):
    return room % 2 == 1 and first <= second and first > room // 2


def pairs(tokenizer):
    out = []
    for first, second in PAIRS:
        sizes = [len(tokenizer.encode(text, add_special_tokens=False)) for text in (first, second)]
        out.append({"first": first, "second": second, "max_length": None, "pad_to": None,
                    **encoded(tokenizer(first, second))})
        for length in (5, 8, 13, 20):
            if not ambiguous(*sizes, length - 3):
                result = tokenizer(first, second, truncation="longest_first", max_length=length, padding="max_length")
                out.append({"first": first, "second": second, "max_length": length, "pad_to": length, **encoded(result)})
    return out


def encoded(result):
    return {"ids": result["input_ids"], "token_type_ids": result["token_type_ids"],
            "attention_mask": result["attention_mask"]}


def published_ids(sdist):
    with tarfile.open(sdist) as archive:
        name = next(n for n in archive.getnames() if n.endswith("tests/test_tokenization_albert.py"))
        tree = ast.parse(archive.extractfile(name).read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "expected_encoding":
            expected = ast.literal_eval(node.value)
            return [[i for i, m in zip(ids, mask) if m] for ids, mask in
                    zip(expected["input_ids"], expected["attention_mask"])]
    raise SystemExit(f"{sdist} holds no expected_encoding")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sdist", type=Path)
    args = parser.parse_args()
    fetched = subprocess.run([str(SCRIPTS / "fetch_weights"), "albert-vocab"], check=True, capture_output=True, text=True)
    model = str(Path(fetched.stdout.strip().splitlines()[-1]) / "spiece.model")
    tokenizer = AlbertTokenizer(model)
    if args.sdist:
        published = [{"text": text, "ids": ids} for text, ids in zip(PUBLISHED, published_ids(args.sdist), strict=True)]
    else:
        published = json.loads(OUT.read_text(encoding="utf-8"))["published"]
    for case in published:
        assert tokenizer.encode(case["text"]) == case["ids"], case["text"]
    decoded = [{"ids": tokenizer.encode(text),
                "text": tokenizer.decode(tokenizer.encode(text), skip_special_tokens=True,
                                         clean_up_tokenization_spaces=False)}
               for text in ALBERT[:20] + PUBLISHED]
    data = {"groups": groups(model, random.Random(7)), "pairs": pairs(tokenizer), "published": published,
            "decoded": decoded}
    # One case a line, so that a change shows.
    lines = json.dumps(data, ensure_ascii=True).replace('}, {"', '},\n{"')
    OUT.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
