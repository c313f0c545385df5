/** Preloaded into servers that have no host option, so that they listen on loopback alone. */
import net from 'node:net'

const listen = net.Server.prototype.listen
net.Server.prototype.listen = function (...args) {
  if (typeof args[0] === 'object' && args[0] !== null && 'port' in args[0])
    return listen.call(this, { ...args[0], host: '127.0.0.1' }, ...args.slice(1))
  if (typeof args[0] === 'number' && typeof args[1] !== 'string') return listen.call(this, args[0], '127.0.0.1', ...args.slice(1))
  return listen.apply(this, args)
}
