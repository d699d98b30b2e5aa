import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** In the three languages that a tool file can have; nothing of them runs before the person allows it. */
const TOOL_FILES: Readonly<Record<string, string>> = {
  'external_tools/roll_dice.mjs': `/** Rolls dice: the smallest tool of your own. */
export default {
  name: 'roll_dice',
  description: 'Rolls six-sided dice and tells what they show.',
  parameters: {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1, maximum: 10, description: 'How many dice.' } },
  },
  async run({ count = 1 }) {
    const shown = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 6))
    return { shown, sum: shown.reduce((sum, one) => sum + one, 0) }
  },
}
`,
  'external_tools/tea_timer.ts': `/** A tool that takes its time: it tells how far it is, and ends when it is stopped. */
import { setTimeout as wait } from 'node:timers/promises'

interface Call {
  signal: AbortSignal
  progress: (fraction: number, message: string) => void
}

export default {
  name: 'tea_timer',
  description: 'Waits some seconds, for tea or eggs, then says that they are over.',
  parameters: {
    type: 'object',
    properties: { seconds: { type: 'integer', minimum: 1, maximum: 240, description: 'How long.' } },
    required: ['seconds'],
  },
  async run({ seconds }: { seconds: number }, { signal, progress }: Call) {
    for (let left = seconds; left > 0; left -= 1) {
      progress(1 - left / seconds, \`\${left} s left\`)
      await wait(1_000, undefined, { signal })
    }
    return { over: true, seconds }
  },
}
`,
  'external_tools/free_space.py': `"""A tool after the contract of the robot's own app: it runs here as it is."""
import shutil

from reachy_mini_conversation_app.tools.core_tools import Tool, ToolDependencies


class FreeSpace(Tool):
    name = "free_space"
    description = "Tells how much room is left on this computer's disk."
    parameters_schema = {"type": "object", "properties": {}, "required": []}

    async def __call__(self, deps: ToolDependencies, **kwargs):
        try:
            usage = shutil.disk_usage("/")
        except OSError as error:
            return {"error": f"The disk does not answer: {error}"}
        return {"free_gigabytes": round(usage.free / 1e9), "total_gigabytes": round(usage.total / 1e9)}
`,
}

/** A profile with what the editor is for: comments, a misspelled tool, an inline comment, a placeholder that nobody knows. */
const PROFILE: Readonly<Record<string, string>> = {
  'profiles/evening_at_home/instructions.txt': `[identities/basic_info]

You are a calm companion on a desk in Bordeaux. Answer in one or two sentences, like a neighbour who is glad to help and has other things to do.

When a question needs both the weather and the news, call both tools at the same time, then give one answer.

[house_rules]
`,
  'profiles/evening_at_home/tools.txt': `# What the robot may do here.
dance
stop_dance
play_emotion
stop_emotion
move_head
idle_do_nothing

# the web, both at once
pollen_robotics_reachy_mini_search_tool__search_web
pollen_robotics_reachy_mini_weather_tool__get_wether

roll_dice # ask before you allow it
`,
  'profiles/evening_at_home/greeting.txt': 'In one sentence, wish a good evening and remark on the light.\n',
}

/** A profile of the robot app from 0.11 on, to be imported. */
const IMPORT: Readonly<Record<string, string>> = {
  'to-import/river_walk/profile.md': `+++
schema_version = 1
voice = "Serena"
greeting = "In one sentence, ask whether they are ready to walk."
default_tools = [
  "play_emotion",
  "stop_emotion",
  "move_head",
  "pollen_robotics_reachy_mini_weather_tool__get_weather",
]
+++

You are Reachy Mini on a walk along the river, carried in a bag with the head out.

Ask the weather once, before you leave. Then notice one thing a minute, in one sentence, and turn your head towards it.
`,
}

/**
 * Puts examples into the data directory of a demo: tools in three languages, a profile with things to repair, one to
 * import. What is there already stays as it is.
 * @returns the folder with the profile to import.
 */
export async function writeDemoFiles(dataDir: string): Promise<string> {
  for (const [name, content] of Object.entries({ ...TOOL_FILES, ...PROFILE, ...IMPORT })) {
    const file = path.join(dataDir, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  return path.join(dataDir, 'to-import')
}
