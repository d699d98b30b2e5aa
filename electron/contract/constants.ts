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
