import { CompanionError } from '../contract/index.ts'

import { checkArguments } from './arguments.ts'
import { askPerson, isSameTool } from './ask-person.ts'
import { decide } from './permission.ts'
import { recordedArguments } from './recorded.ts'
import { nameOf, resolveName } from './registry.ts'

import type { Approval, JsonObject, Log } from '../contract/index.ts'
import type { Servers, Spaces } from '../spaces/index.ts'
import type { Storage } from '../storage/index.ts'
import type { CheckCache } from './arguments.ts'
import type { Library, View } from './library.ts'
import type { Callable, Registered } from './registered.ts'
import type { CallRequest } from './types.ts'

export interface GateDeps {
  readonly library: Pick<Library, 'view'>
  readonly spaces: Pick<Spaces, 'consent'>
  readonly servers: Pick<Servers, 'consent'>
  readonly storage: { readonly audit: Pick<Storage['audit'], 'append'> }
  readonly log: Log
}

/** A call that may run now. */
export interface Admitted {
  readonly called: Callable
  readonly args: JsonObject
  readonly view: View
}

export interface Gate {
  /**
   * Lets a call through that the profile allows at this moment, with arguments that fit, and that a person allowed where
   * one has to.
   * @throws CompanionError `tools/unknown`, `tools/not-enabled`, `tools/unavailable` and whatever else makes the tool
   * unavailable, `tools/bad-arguments`, `tools/needs-approval`, `tools/denied`, `tools/cancelled`.
   */
  admit(request: CallRequest): Promise<Admitted>
}

export function createGate({ library, spaces, servers, storage, log }: GateDeps): Gate {
  const checks: CheckCache = new WeakMap()

  /** The tool of a request, if the profile lists it and it can be used now. */
  const callable = async (request: CallRequest): Promise<{ called: Callable; view: View }> => {
    const view = await library.view(request.profile)
    const called = resolveName(view.registry, request.name)
    if (!called) throw new CompanionError('tools/unknown', { id: request.name.slice(0, 200) })
    const { tool, member } = called
    if (!tool.system && !view.enabled.has(tool.id)) {
      throw new CompanionError('tools/not-enabled', { id: tool.id, profile: request.profile })
    }
    if (!tool.system && view.refused.has(tool.id)) throw new CompanionError('tools/denied', { id: tool.id })
    if (tool.problem) {
      const named = tool.source === 'built-in' ? { id: tool.id } : { id: tool.id, slug: tool.origin }
      throw new CompanionError(tool.problem.code, { ...named, ...tool.problem.details })
    }
    if (tool.members !== undefined && member === undefined) {
      const names = tool.members.map(({ name }) => name).join(', ')
      throw new CompanionError('tools/bad-arguments', { id: tool.id, reason: `the file has several tools: ${names}` })
    }
    return { called, view }
  }

  /**
   * Waits for a person's yes. While they think the profile may change and the tool may become something else: then the yes
   * was for another thing.
   */
  const permit = async (
    asked: Callable,
    args: JsonObject,
    approval: Approval,
    request: CallRequest,
  ): Promise<{ called: Callable; view: View }> => {
    const { id, source } = asked.tool
    const origin = recordedOrigin(asked)
    const answer = await askPerson(asked.tool, approval, request)
    const { reason, riskClass } = approval
    storage.audit.append({
      kind: 'decision',
      toolId: id,
      source,
      origin,
      reason,
      riskClass,
      answer,
      arguments: recordedArguments(args),
    })
    if (answer === 'deny') throw new CompanionError('tools/denied', { id })
    const now = await callable(request)
    if (!isSameTool(asked.tool, now.called.tool)) {
      const code = source === 'local' ? 'tools/file-changed' : 'space/changed'
      throw new CompanionError(code, { id, slug: asked.tool.origin, path: asked.tool.origin })
    }
    if (reason === 'senses') request.granted?.add(id)
    if (answer === 'always' && approval.canAlways) await consent(now.called.tool)
    return now
  }

  const consent = async (tool: Registered): Promise<void> => {
    try {
      await (tool.source === 'server' ? servers.consent(tool.id) : spaces.consent(tool.id))
    } catch (error) {
      // The person said yes to this call in any case; the next one asks again.
      log.error('an approval could not be kept', { tool: tool.id, reason: String(error) })
    }
  }

  return {
    async admit(request) {
      const found = await callable(request)
      const { called, view } = found
      const { tool, member } = called
      const parameters = member?.parameters ?? tool.checked
      const args = await checkArguments({ id: nameOf(called), parameters }, request.arguments, checks)
      if (request.signal?.aborted) throw new CompanionError('tools/cancelled', { id: tool.id })
      const decision = decide(tool, args, {
        taint: request.taint,
        askEachTime: !tool.system && view.permissions[tool.id] === 'ask',
        granted: request.granted?.has(tool.id) === true,
      })
      if (decision.kind === 'allow') return { ...found, args }
      const several = (tool.members?.length ?? 0) > 1 && member !== undefined
      const approval = several ? { ...decision.approval, member: member.name } : decision.approval
      return { ...(await permit(called, args, approval, request)), args }
    },
  }
}

/** Where a tool comes from, with the name inside a file that offers several. */
export function recordedOrigin({ tool, member }: Callable): string {
  return member !== undefined && member.name !== tool.id ? `${tool.origin} (${member.name})` : tool.origin
}
