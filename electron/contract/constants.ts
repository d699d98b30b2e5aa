/** Plain constants of the contract, apart from the schemas: the page imports them without a validation library. */

/** Steps of an installation, in their order. */
export const INSTALL_STEPS = ['validate', 'wake', 'connect', 'discover', 'enable'] as const

/** What a profile may be called. Device names are refused besides. */
export const PROFILE_NAME = /^[A-Za-z0-9_-]{1,64}$/

/** Values of one frame of a trajectory: x, y, z, roll, pitch, yaw, body yaw, right antenna, left antenna. */
export const FRAME_STRIDE = 9

/** Risk classes of tools, 0 … 5, by number. */
export const RISK_CLASSES = ['inert', 'moves', 'reads-online', 'senses', 'writes', 'runs-code'] as const

/** Deep links begin with it: `reachy-mini-companion://space/owner/name`. */
export const LINK_SCHEME = 'reachy-mini-companion'

/** Files of a profile, in the order in which they are shown. */
export const PROFILE_FILES = ['tools.txt', 'instructions.txt', 'voice.txt', 'greeting.txt'] as const

/** Voices of the robot app's realtime service; the first is the one it takes when none is named. */
export const VOICES = ['Aiden', 'Ryan', 'Dylan', 'Eric', 'Ono_Anna', 'Serena', 'Sohee', 'Uncle_Fu', 'Vivian'] as const

/** Enabled tools above which models are seen to choose worse: the app advises, it does not forbid. */
export const ADVISED_TOOLS = 25

/** Tokens that prompt and schemas may take together before the app advises: a small local model's whole window. */
export const ADVISED_TOKENS = 8_192

/** Colours that an avatar's antenna tips can have, by the name of their token. */
export const AVATAR_TINTS = ['accent', 'space', 'local', 'success', 'warn', 'ink'] as const

/** Robots that a person can add by their port or address, the newest count. */
export const MAX_ADDED_ROBOTS = 50

/** Languages of a tool file of the user's own. */
export const TOOL_LANGUAGES = ['javascript', 'typescript', 'python'] as const
