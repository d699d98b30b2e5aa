/** `npm start [-- arguments of the app]`: installs and builds what is missing, then runs the app. */
import { startApp } from './lib/app.mjs'
import { program } from './lib/run.mjs'

await program(startApp)
