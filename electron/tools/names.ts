import { visible } from './text.ts'

import type { Problem } from '../contract/index.ts'
import type { Registered } from './registered.ts'

/** Names that a tool takes: its line in `tools.txt`, and those of the tools inside a file. */
const namesOf = (tool: Registered): string[] => [tool.id, ...(tool.members ?? []).map(({ name }) => name)]

/** "owner/space (remote name)", a path with the name inside where that is another one. */
function sourceName(tool: Registered, name: string): string {
  if (tool.source === 'local') return visible(name === tool.id ? tool.origin : `${tool.origin} (${name})`)
  return visible(`${tool.origin} (${tool.remoteName ?? tool.id})`)
}

const duplicate = (name: string, [first, ...others]: readonly Registered[]): Problem => ({
  code: 'tools/duplicate-name',
  details: {
    id: name,
    first: first ? sourceName(first, name) : '',
    second: others.map((other) => sourceName(other, name)).join(', '),
  },
})

/**
 * One tool for every name. The robot's own names are never taken over: whoever else has one is told in `notices` and cannot
 * be used. A name that two other sources share is used by neither, because a call could reach the wrong one; everything
 * else works on. (The robot's conversation app ends with an error instead, see its `core_tools.py`.)
 *
 * @returns the tools with IDs that are unique, the robot's first.
 */
export function uniqueNames(
  builtIn: readonly Registered[],
  others: readonly Registered[],
): { tools: Registered[]; notices: Problem[] } {
  const reserved = new Map(builtIn.map((tool) => [tool.id, tool]))
  const notices: Problem[] = []
  const owners = new Map<string, Registered[]>()
  for (const tool of others) {
    for (const name of new Set(namesOf(tool))) owners.set(name, [...(owners.get(name) ?? []), tool])
  }
  const problems = new Map<Registered, Problem>()
  const hidden = new Set<Registered>()
  for (const [name, sharing] of owners) {
    const own = reserved.get(name)
    if (own === undefined && sharing.length < 2) continue
    for (const tool of sharing) {
      const problem = own === undefined ? duplicate(name, sharing) : duplicate(name, [own, tool])
      if (own !== undefined) notices.push(problem)
      if (own !== undefined && tool.id === name) hidden.add(tool)
      if (!problems.has(tool)) problems.set(tool, problem)
    }
  }
  // What cannot be used for a reason of its own keeps it only where its name is not in doubt.
  const told = others.filter((tool) => !hidden.has(tool)).map((tool) => withProblem(tool, problems.get(tool)))
  const firsts = new Map<string, Registered>()
  for (const tool of told) if (!firsts.has(tool.id)) firsts.set(tool.id, tool)
  return { tools: [...builtIn, ...firsts.values()], notices }
}

const withProblem = (tool: Registered, problem: Problem | undefined): Registered =>
  problem === undefined ? tool : { ...tool, problem }
