// Loaded with `--import` into a server that offers no host option: whatever it listens on becomes 127.0.0.1, and the
// port is told to the parent on standard output.
import { Server } from 'node:net'

const listen = Server.prototype.listen

Server.prototype.listen = function (port, ...rest) {
  const callback = rest.find((argument) => typeof argument === 'function')
  this.once('listening', () => process.stdout.write(`LISTENING ${this.address().port}\n`))
  return listen.call(this, { port: Number(port), host: '127.0.0.1' }, callback)
}

// A parent that was killed cannot close us; its end of standard input closes by itself.
process.stdin.on('end', () => process.exit()).resume()
