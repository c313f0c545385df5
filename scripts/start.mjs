/** `npm start`: installs and builds where needed, then becomes the gateway. Arguments are those of `capstan serve`. */
import { commandLine, fail, prepare } from './prepare.mjs'

const built = await prepare({ checked: false }).catch(fail)
// The gateway runs in this very process: signals, exit code and process id are its own, and nothing is left behind.
process.argv.splice(2, 0, 'serve')
await commandLine(built)
