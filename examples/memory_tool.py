#!/usr/bin/env python3
"""An agent of your own on a memcurator store: the API's memory tool, answered by `memcurator memory-tool`.

    pip install anthropic
    export ANTHROPIC_API_KEY=… MODEL=…
    python3 examples/memory_tool.py ./memory "What do you remember about our refunds?" [--stage]

Everything that the model does with its memory goes through one child process. What it replaces or removes is kept in
the store's history, and `memcurator ./memory` shows it to a person. With --stage nothing is written at all until that
person says yes in the Inbox (key 3), or with `memcurator pending approve`: the model sees its own writes meanwhile.
"""
import json
import os
import subprocess
import sys

from anthropic import Anthropic
from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError


class Memcurator(BetaAbstractMemoryTool):
    """Passes each command on as one line of JSON, and the answer back."""

    def __init__(self, store, *options):
        super().__init__()
        command = ["memcurator", "memory-tool", "--store", store, *options]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        self.child.stdin.write(command.to_json(indent=None) + "\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline())
        if answer["is_error"]:
            raise ToolError(answer["content"])
        return answer["content"]

    view = create = str_replace = insert = delete = rename = ask


if __name__ == "__main__":
    store, question, *options = sys.argv[1:]
    os.makedirs(store, exist_ok=True)
    runner = Anthropic().beta.messages.tool_runner(
        model=os.environ["MODEL"],
        max_tokens=2048,
        betas=["context-management-2025-06-27"],
        tools=[Memcurator(store, *options)],
        messages=[{"role": "user", "content": question}],
    )
    for message in runner:
        for block in message.content:
            if block.type == "text":
                print(block.text)
