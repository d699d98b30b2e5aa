const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

/** Whether a renderer's own name says that a processor draws instead of a graphics card. */
export const isSoftwareRenderer = (name: string): boolean => SOFTWARE.test(name)

/** Whether 3D is worth while here: a WebGL context can be had, and a graphics card is behind it. */
export function hasFastWebGl(): boolean {
  const canvas = document.createElement('canvas')
  const gl = canvas.getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  if (!gl) return false
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const name: unknown = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return typeof name === 'string' && !isSoftwareRenderer(name)
}
