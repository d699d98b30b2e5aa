// What a window costs with nothing in it: the other side of the comparison.
const path = require('node:path')

const { app, BrowserWindow, Menu } = require('electron')

const at = process.argv.indexOf('--data-dir')
if (at > 0) app.setPath('userData', process.argv[at + 1])
Menu.setApplicationMenu(null)
void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800, show: false, webPreferences: { sandbox: true } })
  window.once('ready-to-show', () => window.show())
  return window.loadFile(path.join(__dirname, 'index.html'))
})
