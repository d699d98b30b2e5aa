import { rm } from 'node:fs/promises'
import path from 'node:path'

/** electron-builder's hook: takes out the default app that a stand-in runtime brings; ours is `app.asar`. */
export default async function afterPack({ appOutDir, packager }) {
  const resources =
    packager.platform.name === 'mac'
      ? path.join(appOutDir, `${packager.appInfo.productFilename}.app`, 'Contents', 'Resources')
      : path.join(appOutDir, 'resources')
  await rm(path.join(resources, 'default_app.asar'), { force: true })
}
