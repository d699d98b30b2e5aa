/** Channel names of the two IPC channels. Apart from the routes, so that the preload carries no schemas. */
export const REQUEST_CHANNEL = 'companion:request'
export const EVENT_CHANNEL = 'companion:event'
