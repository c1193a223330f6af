"""GGUF, the model files of llama.cpp: the tokenizer in one is read, the weights are not."""
