import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { takeServeLock } from '../../core/store/sqlite/serve-lock.js'

/** Takes the lock of a folder, and of a ledger when one is named, lets the garbage collector run, says so, and keeps it until it is killed or its parent is gone. The lock's handle is dropped on purpose. */
const [folder, ledger] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: FOLDER [LEDGER]')
takeServeLock(folder, { pid: process.pid, since: Date.now() }, ledger ?? null)
const collect: unknown = setFlagsFromString('--expose-gc') ?? runInNewContext('gc')
if (typeof collect === 'function') for (let round = 0; round < 3; round++) Reflect.apply(collect, undefined, [])
setImmediate(() => console.log('taken'))
process.stdin.resume().on('end', () => process.exit())
