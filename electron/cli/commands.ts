import { chat } from './chat.ts'
import * as exchange from './exchange.ts'
import * as profiles from './profiles.ts'
import * as robot from './robot.ts'
import * as servers from './servers.ts'
import * as toolFiles from './tool-files.ts'
import * as toolSpaces from './tool-spaces.ts'
import * as tools from './tools.ts'

import type { CommandName } from './catalogue.ts'
import type { Command } from './context.ts'

/** What runs behind each name; names without an entry answer `cli/not-available-yet`. */
export const RUN: Readonly<Partial<Record<CommandName, Command>>> = {
  'tool-spaces add': toolSpaces.naming(toolSpaces.add),
  'tool-spaces list': toolSpaces.naming(toolSpaces.list),
  'tool-spaces show': toolSpaces.naming(toolSpaces.show),
  'tool-spaces refresh': toolSpaces.naming(toolSpaces.refresh),
  'tool-spaces remove': toolSpaces.naming(toolSpaces.remove),
  'tool-spaces search': toolSpaces.naming(toolSpaces.search),
  'profiles list': profiles.list,
  'profiles show': profiles.show,
  'profiles check': profiles.check,
  'profiles use': profiles.use,
  'profiles import': exchange.importProfiles,
  'profiles export': exchange.exportProfile,
  'profiles enable': profiles.enable,
  'profiles disable': profiles.disable,
  'servers add': servers.add,
  'servers list': servers.list,
  'servers remove': servers.remove,
  'tools list': tools.list,
  'tools call': tools.call,
  'tools allow': toolFiles.allow,
  'tools forbid': toolFiles.forbid,
  'robot list': robot.list,
  'robot status': robot.status,
  'robot wake': robot.wake,
  'robot sleep': robot.sleep,
  'robot play': robot.play,
  'robot export': robot.exportMove,
  'robot stop': robot.stop,
  chat,
}
