import type { ToolLanguage } from '../../contract/index.ts'

export const EXTENSIONS: Readonly<Record<ToolLanguage, string>> = {
  javascript: '.mjs',
  typescript: '.ts',
  python: '.py',
}

/** A working example to begin with. @param name of the file and the tool; a valid tool ID. */
export function templateOf(language: ToolLanguage, name: string): string {
  switch (language) {
    case 'javascript':
      return javascript(name)
    case 'typescript':
      return typescript(name)
    case 'python':
      return python(name)
  }
}

const javascript = (
  name: string,
): string => `// A tool that the robot's model can call. It runs as a program of its own, without the app's keys.
// Its file name is its line in tools.txt: ${name}
// Change it, save it, and allow it again under Profiles.

export default {
  name: '${name}',

  // The model reads this to know when the tool is of use.
  description: 'Rolls dice and tells what came up. Use it when somebody wants to roll dice.',

  // What the model may pass: a JSON Schema.
  parameters: {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 1, maximum: 10, description: 'How many dice' },
    },
    required: ['count'],
  },

  // signal ends when the person stops the call; progress(0 to 1, text) shows how far it is.
  async run({ count }, { signal, progress }) {
    const rolled = []
    for (let die = 0; die < count; die += 1) {
      if (signal.aborted) return { error: 'stopped' }
      rolled.push(1 + Math.floor(Math.random() * 6))
      progress(rolled.length / count, \`\${rolled.length} of \${count}\`)
    }
    return { rolled, sum: rolled.reduce((sum, value) => sum + value, 0) }
  },
}
`

const typescript = (
  name: string,
): string => `// A tool that the robot's model can call. It runs as a program of its own, without the app's keys.
// Its file name is its line in tools.txt: ${name}
// Only types that can be erased work here: no enums, no namespaces. It can import node: modules.

interface Arguments {
  count: number
}

interface Context {
  /** Ends when the person stops the call. */
  signal: AbortSignal
  /** 0 to 1, and a text. */
  progress(fraction: number, message?: string): void
}

export default {
  name: '${name}',

  // The model reads this to know when the tool is of use.
  description: 'Rolls dice and tells what came up. Use it when somebody wants to roll dice.',

  // What the model may pass: a JSON Schema.
  parameters: {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 1, maximum: 10, description: 'How many dice' },
    },
    required: ['count'],
  },

  async run({ count }: Arguments, { signal, progress }: Context) {
    const rolled: number[] = []
    for (let die = 0; die < count; die += 1) {
      if (signal.aborted) return { error: 'stopped' }
      rolled.push(1 + Math.floor(Math.random() * 6))
      progress(rolled.length / count, \`\${rolled.length} of \${count}\`)
    }
    return { rolled, sum: rolled.reduce((sum, value) => sum + value, 0) }
  },
}
`

const python = (
  name: string,
): string => `"""A tool that the robot's model can call. It runs as a program of its own, without the app's keys.

Its file name is its line in tools.txt: ${name}
Change it, save it, and allow it again under Profiles. It also works in the robot's own conversation app.
"""

import random
from typing import Any, Dict

from reachy_mini_conversation_app.tools.core_tools import Tool, ToolDependencies


class ${className(name)}(Tool):
    """Rolls dice."""

    name = "${name}"
    # The model reads this to know when the tool is of use.
    description = "Rolls dice and tells what came up. Use it when somebody wants to roll dice."
    # What the model may pass: a JSON Schema.
    parameters_schema = {
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 1, "maximum": 10, "description": "How many dice"},
        },
        "required": ["count"],
    }

    async def __call__(self, deps: ToolDependencies, **kwargs: Any) -> Dict[str, Any]:
        """Does it. {"error": text} says that it failed."""
        count = int(kwargs["count"])
        rolled = [random.randint(1, 6) for _ in range(count)]
        return {"rolled": rolled, "sum": sum(rolled)}
`

/** \`roll_dice\` → \`RollDice\`. */
function className(name: string): string {
  const parts = name.split(/[^A-Za-z0-9]+/).filter((part) => part !== '')
  return parts.map((part) => part[0]?.toUpperCase() + part.slice(1)).join('') || 'MyTool'
}
