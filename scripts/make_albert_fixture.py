#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/albert/: a very small ALBERT with random weights and what Hugging Face's classes make of it.

    python3 -m venv --system-site-packages venv    # with Debian's python3-torch, or any torch
    venv/bin/pip install transformers==4.46.3 safetensors
    venv/bin/python scripts/make_albert_fixture.py

model.safetensors holds all heads; expected.safetensors the inputs and the outputs of AlbertModel (with its pooler),
AlbertForMaskedLM, AlbertForQuestionAnswering and AlbertForSequenceClassification, in float32.
"""
import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import (AlbertConfig, AlbertForMaskedLM, AlbertForQuestionAnswering,
                          AlbertForSequenceClassification)

OUT = Path(__file__).resolve().parent.parent / "tests" / "data" / "albert"
CONFIG = AlbertConfig(vocab_size=60, embedding_size=32, hidden_size=64, num_hidden_layers=4, num_hidden_groups=2,
                      inner_group_num=1, num_attention_heads=2, intermediate_size=32, max_position_embeddings=32,
                      num_labels=2, hidden_act="gelu_new", layer_norm_eps=1e-12, hidden_dropout_prob=0.0,
                      attention_probs_dropout_prob=0.0, classifier_dropout_prob=0.0)


def main():
    torch.manual_seed(5)
    masked = AlbertForMaskedLM(CONFIG).eval()
    answers = AlbertForQuestionAnswering(CONFIG).eval()
    classes = AlbertForSequenceClassification(CONFIG).eval()
    # Larger than the initializer's, so that attention looks somewhere and norms and biases matter; rounded to float16,
    # which is how they are stored.
    state = {name: torch.randn_like(value) * (0.15 if value.dim() > 1 else 0.2) + (1.0 if "orm.weight" in name else 0.0)
             for model in (masked, answers, classes) for name, value in model.state_dict().items()
             if value.is_floating_point() and not name.startswith("predictions.decoder")}
    state = {name: value.half().float() for name, value in state.items()}
    for model in (masked, answers, classes):
        missing = model.load_state_dict(state, strict=False).missing_keys
        assert all("position_ids" in name or "decoder" in name for name in missing), missing
    masked.tie_weights()
    ids = torch.randint(0, 60, (2, 20))
    types = (torch.arange(20) > 7).long().repeat(2, 1)
    mask = (torch.arange(20)[None] < torch.tensor([[20], [13]])).long()
    given = {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}
    with torch.no_grad():
        body = classes.albert(**given)
        spans = answers(**given)
        expected = {"last_hidden_state": body.last_hidden_state, "pooler_output": body.pooler_output,
                    "masked_lm": masked(**given).logits, "classes": classes(**given).logits,
                    "answers": torch.stack([spans.start_logits, spans.end_logits], -1)}
    OUT.mkdir(parents=True, exist_ok=True)
    save_file({name: value.half().contiguous() for name, value in state.items()}, OUT / "model.safetensors")
    save_file({**{name: value.float().contiguous() for name, value in expected.items()},
               **{name: value.float() for name, value in given.items()}}, OUT / "expected.safetensors")
    (OUT / "config.json").write_text(json.dumps(json.loads(CONFIG.to_json_string(use_diff=False)), indent=1) + "\n")


if __name__ == "__main__":
    main()
