# SPDX-License-Identifier: Apache-2.0
"""From a recorded call of TTNN's C++ API to the function and the arguments of its Python bindings."""


class NotKnown(Exception):
    """No row of the table, or an argument without a counterpart."""


# Function to where it is below `operations`, and argument names that differ. None drops an argument that has no counterpart in
# the bindings.
TABLE = {
    "ttnn::linear": ("matmul.linear", {}),
    "ttnn::matmul": ("matmul.matmul", {}),
    "ttnn::addmm": ("matmul.addmm", {}),
    "ttnn::embedding": ("embedding.embedding", {"pad_token": "padding_idx", "optional_output_tensor": "output_tensor"}),
    "ttnn::layer_norm": ("normalization.layer_norm", {}),
    "ttnn::rms_norm": ("normalization.rms_norm", {}),
    "ttnn::batch_norm": ("normalization.batch_norm", {}),
    "ttnn::softmax": ("normalization.softmax", {}),
    "ttnn::softmax_in_place": ("normalization.softmax_in_place", {}),
    "ttnn::scale_mask_softmax": ("normalization.scale_mask_softmax", {}),
    "ttnn::scale_mask_softmax_in_place": ("normalization.scale_mask_softmax_in_place", {}),
    "ttnn::scale_causal_mask_hw_dims_softmax_in_place": (
        "normalization.scale_causal_mask_hw_dims_softmax_in_place", {"is_causal_mask": None}),
    "ttnn::transformer::scaled_dot_product_attention": ("transformer.scaled_dot_product_attention", {}),
    "ttnn::transformer::attention_softmax": ("transformer.attention_softmax", {"input_tensor": "tensor", "head_size_arg": "head_size"}),
    "ttnn::transformer::attention_softmax_": ("transformer.attention_softmax_", {"input_tensor": "tensor", "head_size_arg": "head_size"}),
    "ttnn::transformer::concatenate_heads": ("transformer.concatenate_heads", {}),
    "ttnn::transformer::split_query_key_value_and_split_heads": (
        "transformer.split_query_key_value_and_split_heads", {"input_tensor_kv": "kv_input_tensor"}),
    "ttnn::transformer::scaled_dot_product_attention_decode": ("transformer.scaled_dot_product_attention_decode", {}),
    "ttnn::experimental::nlp_concat_heads_decode": ("experimental.nlp_concat_heads_decode", {}),
    "ttnn::experimental::nlp_create_qkv_heads_decode": ("experimental.nlp_create_qkv_heads_decode", {}),
    "ttnn::experimental::paged_update_cache": ("experimental.paged_update_cache", {}),
    "ttnn::experimental::rotary_embedding_llama": ("experimental.rotary_embedding_llama", {}),
    "ttnn::fill_cache": ("kv_cache.fill_cache_for_user_", {
        "cache_tensor": "cache", "input_tensor": "input", "batch_idx": "batch_index"}),
    "ttnn::fill_cache_for_user_": ("kv_cache.fill_cache_for_user_", {
        "cache_tensor": "cache", "input_tensor": "input", "batch_idx": "batch_index"}),
    "ttnn::update_cache": ("kv_cache.update_cache_for_token_", {"update_idx": "update_index"}),
    "ttnn::update_cache_for_token_": ("kv_cache.update_cache_for_token_", {"update_idx": "update_index"}),
    "ttnn::experimental::nlp_concat_heads": ("experimental.nlp_concat_heads", {}),
    "ttnn::experimental::nlp_create_qkv_heads": (
        "experimental.nlp_create_qkv_heads",
        {"input_tensor": "input", "input_tensor_kv": "input_kv", "transpose_key": "transpose_k_heads"}),
    "ttnn::conv2d": ("conv.conv2d", {}),
    "ttnn::max_pool2d": ("pool.max_pool2d", {}),
    "ttnn::avg_pool2d": ("pool.avg_pool2d", {"dilation": None}),
    "ttnn::upsample": ("pool.upsample", {"output_mem_config": "memory_config"}),
    "ttnn::fold": ("data_movement.fold", {"input_tensor": "input", "core_grid": "grid_size"}),
    "ttnn::typecast": ("copy.typecast", {
        "input": "input_tensor", "output_dtype": "dtype", "memory_config_arg": "memory_config", "optional_output_tensor": "output_tensor"}),
    "ttnn::to_layout": ("core.to_layout", {"tensor_arg": "tensor"}),
    "ttnn::to_memory_config": ("core.to_memory_config", {}),
    "ttnn::reshape": ("data_movement.reshape", {
        "logical_input_shape": "logical_shape", "padded_input_shape": "padded_shape", "has_pad_value": None, "recreate_mapping": None,
        "sub_core_grid": "sub_core_grids"}),
    "ttnn::view": ("data_movement.view", {"logical_shape": "shape"}),
    "ttnn::copy": ("data_movement.copy", {"src_tensor": "input_a", "dst_tensor": "input_b"}),
    "ttnn::assign": ("data_movement.assign", {
        "input": "input_tensor", "output_mem_config": "memory_config", "output_dtype": "dtype", "optional_output_tensor": "output_tensor"}),
    "ttnn::clone": ("data_movement.clone", {"has_compute_kernel_config": None}),
    "ttnn::permute": ("data_movement.permute", {}),
    "ttnn::transpose": ("data_movement.transpose", {"memory_config_arg": "memory_config"}),
    "ttnn::concat": ("data_movement.concat", {"input_tensors": "tensors"}),
    "ttnn::slice": ("data_movement.slice", {
        "begins": "slice_start", "ends": "slice_end", "step": "slice_step", "memory_config_arg": "memory_config",
        "optional_output_tensor": "output_tensor"}),
    "ttnn::pad": ("data_movement.pad", {"memory_config_arg": "memory_config"}),
    "ttnn::split": ("data_movement.split", {"split_sizes": "split_size"}),
    "ttnn::chunk": ("data_movement.chunk", {"num_chunks": "chunks"}),
    "ttnn::repeat": ("data_movement.repeat", {"repetition_vector": "repeat_dims"}),
    "ttnn::repeat_interleave": ("data_movement.repeat_interleave", {"input_a": "input_tensor", "output_mem_config": "memory_config"}),
    "ttnn::tilize": ("data_movement.tilize", {"output_dtype": "dtype"}),
    "ttnn::tilize_with_val_padding": ("data_movement.tilize_with_val_padding", {
        "output_padded_shape": "output_tensor_shape", "output_dtype": "dtype"}),
    "ttnn::untilize": ("data_movement.untilize", {}),
    "ttnn::untilize_with_unpadding": ("data_movement.untilize_with_unpadding", {}),
    "ttnn::fill_implicit_tile_padding": ("data_movement.fill_implicit_tile_padding", {}),
    "ttnn::move": ("data_movement.move", {"output_mem_config": "memory_config"}),
    "ttnn::interleaved_to_sharded": ("data_movement.interleaved_to_sharded", {"data_type_arg": "output_dtype"}),
    "ttnn::sharded_to_interleaved": ("data_movement.sharded_to_interleaved", {}),
    "ttnn::reshard": ("data_movement.reshard", {"memory_config": "output_memory_config", "optional_output_tensor": "output_tensor"}),
    "ttnn::argmax": ("reduction.argmax", {"optional_output_tensor": "output_tensor"}),
    "ttnn::topk": ("reduction.topk", {}),
}
for _name in ("sum", "mean", "max", "min", "std", "var"):
    TABLE[f"ttnn::{_name}"] = (f"reduction.{_name}", {})
BINARY = {
    "lhs": "input_tensor_a", "rhs": "input_tensor_b", "output_dtype": "dtype", "output": "output_tensor",
    "post_activations": "activations", "lhs_activations": "input_tensor_a_activations", "rhs_activations": "input_tensor_b_activations",
}
# In the bindings the in-place forms of these name their operands otherwise.
SHORT_OPERANDS = ("multiply_", "divide_", "subtract_")
UNARY = {"leaky_relu": "negative_slope", "gelu": "fast_and_approximate_mode", "tanh": "fast_and_approximate_mode",
         "exp": "fast_and_approximate_mode", "rsqrt": "fast_and_approximate_mode"}

DTYPES = ("dtype", "output_dtype", "weights_dtype", "data_type_arg")
LAYOUTS = ("layout", "output_layout")
MEMORY_LAYOUTS = ("shard_layout", "applied_shard_scheme")
SHAPES = ("logical_input_shape", "padded_input_shape", "output_shape", "logical_shape")


class CallTable:
    def __init__(self, ttnn, device):
        self.ttnn = ttnn
        self.device = device

    # Values

    def core_range_set(self, parts):
        kinds = self.ttnn.tensor
        return kinds.CoreRangeSet([kinds.CoreRange(kinds.CoreCoord(*part["start"]), kinds.CoreCoord(*part["end"])) for part in parts])

    def shard_spec(self, value):
        kinds = self.ttnn.tensor
        return value and kinds.ShardSpec(self.core_range_set(value["grid"]), value["shape"],
                                         getattr(kinds.ShardOrientation, value["orientation"]))

    def memory_config(self, value):
        kinds = self.ttnn.tensor
        return kinds.MemoryConfig(getattr(kinds.TensorMemoryLayout, value["memory_layout"]),
                                  getattr(kinds.BufferType, value["buffer_type"]), self.shard_spec(value["shard_spec"]))

    def tensor_spec(self, value):
        kinds, memory = self.ttnn.tensor, value["memory_config"]
        return kinds.TensorSpec(
            self.ttnn.types.Shape(value["shape"]), getattr(kinds.DataType, value["dtype"]), getattr(kinds.Layout, value["layout"]),
            getattr(kinds.TensorMemoryLayout, memory["memory_layout"]), self.shard_spec(memory["shard_spec"]),
            getattr(kinds.BufferType, memory["buffer_type"]))

    def activation(self, value, kind):
        numbers = [float(number) for number in value["params"]]
        return getattr(self.ttnn.activation, kind)(getattr(self.ttnn.activation.UnaryOpType, value["op_type"]), *numbers)

    def object_of(self, name, value, inputs):
        operations = self.ttnn.operations
        if "tensor" in value:
            return inputs[value["tensor"]]
        if "memory_layout" in value:
            return self.memory_config(value)
        if "op_type" in value:
            return self.activation(value, "UnaryWithParam")
        if "math_fidelity" in value:
            return operations.core.WormholeComputeKernelConfig(**self.fields(value, inputs))
        if "slice_type" in value:
            kind = operations.sliding_window.Op2DSliceConfig
            # Python spells the names in its own way.
            names = {"DRAM_HEIGHT": "DRAMSliceHeight", "DRAM_WIDTH": "DRAMSliceWidth", "L1_FULL": "L1Full"}
            return kind(slice_type=getattr(kind.SliceTypeEnum, names[value["slice_type"]]),
                        num_slices=value["num_slices"])
        if name == "conv_config":
            return operations.conv.Conv2dConfig(**self.fields(value, inputs))
        if "q_chunk_size" in value:
            return operations.transformer.SDPAProgramConfig(**self.fields(value, inputs))
        if "type" in value:
            fields = self.fields({key: part for key, part in value.items() if key != "type"}, inputs)
            for family in (operations.matmul, operations.normalization):
                if hasattr(family, value["type"]):
                    return getattr(family, value["type"])(**fields)
        raise NotKnown(f"{name} {value}")

    def fields(self, value, inputs):
        return {name: self.value(name, part, inputs) for name, part in value.items()}

    def value(self, name, value, inputs):
        kinds = self.ttnn.tensor
        if value is None:
            return None
        if name == "math_fidelity":
            return getattr(kinds.MathFidelity, value)
        if isinstance(value, dict):
            return self.object_of(name, value, inputs)
        if isinstance(value, str):
            for names, kind in ((DTYPES, kinds.DataType), (LAYOUTS, kinds.Layout), (MEMORY_LAYOUTS, kinds.TensorMemoryLayout)):
                if name in names:
                    return getattr(kind, value)
            return float(value) if value in ("inf", "-inf", "nan") else value
        if name in SHAPES:
            return self.ttnn.types.Shape(value)
        if name == "compute_with_storage_grid_size":
            return kinds.CoreCoord(*value)
        if isinstance(value, list):
            if value and isinstance(value[0], dict):
                if "start" in value[0]:
                    return self.core_range_set(value)
                if "op_type" in value[0]:
                    return [self.activation(part, "EltwiseUnaryWithParam") for part in value]
                return [self.object_of(name, part, inputs) for part in value]
            if name in ("hop_cores", "sub_core_grids"):
                return self.core_range_set(value)
            if name == "core_grid":
                return self.ttnn.types.CoreGrid(x=value[0], y=value[1])
        return value

    # Calls

    def find(self, path):
        found = self.ttnn.operations
        for part in path.split("."):
            found = getattr(found, part)
        return found

    def prepare(self, function, arguments, inputs):
        """(callable, keyword arguments). NotKnown when the table has no row for the call."""
        arguments = dict(arguments)
        if function == "ttnn::create_device_tensor":
            return self.ttnn.operations.core.allocate_tensor_on_device, {
                "tensor_spec": self.tensor_spec(arguments["tensor_spec"]), "mesh_device": self.device}
        if "ops_chain" in arguments:
            return self.unary(function, arguments, inputs)
        name = function.removeprefix("ttnn::")
        if function in TABLE:
            path, renames = TABLE[function]
        elif "lhs" in arguments and hasattr(self.ttnn.operations.binary, name):
            path, renames = f"binary.{name}", dict(BINARY)
            if name.endswith("_"):
                renames.update({"output_dtype": None, "memory_config": None, "output": None})
                if name in SHORT_OPERANDS:
                    renames.update({"lhs": "input_a", "rhs": "input_b"})
        else:
            raise NotKnown(f"no row for {function}")
        result = {}
        for key, value in arguments.items():
            renamed = renames.get(key, key)
            if renamed is not None:
                result[renamed] = self.value(key, value, inputs)
        fix = getattr(self, "fix_" + name.replace("::", "_"), None)
        if fix:
            fix(result)
        return self.find(path), result

    def unary(self, function, arguments, inputs):
        name, chain = function.removeprefix("ttnn::"), arguments.pop("ops_chain")
        result = self.fields(arguments, inputs)
        result["output_tensor"] = result.pop("optional_output_tensor", None)
        numbers = chain[0]["params"] if chain else []
        if len(chain) == 1 and hasattr(self.ttnn.operations.unary, name) and (not numbers or name in UNARY):
            if numbers:
                result[UNARY[name]] = numbers[0] if name == "leaky_relu" else bool(numbers[0])
            return self.find(f"unary.{name}"), result
        result["ops_chain"] = [self.activation(part, "EltwiseUnaryWithParam") for part in chain]
        return self.find("unary.unary_chain"), result

    # What a change of names does not reach

    def fix_conv2d(self, arguments):
        arguments["device"] = self.device

    def fix_embedding(self, arguments):
        kind = self.ttnn.operations.embedding.EmbeddingsType if hasattr(self.ttnn.operations.embedding, "EmbeddingsType") else None
        number = arguments.pop("embeddings_type", 0)
        if kind is not None and number:
            arguments["embeddings_type"] = list(kind)[number]

    def fix_slice(self, arguments):
        arguments.setdefault("slice_step", None)
