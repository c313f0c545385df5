import { takeServeLock } from '../../core/store/sqlite/serve-lock.js'

/** Takes the lock of a folder, says so and keeps it until it is killed. */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: FOLDER')
takeServeLock(folder, { pid: process.pid, since: Date.now() })
console.log('taken')
setInterval(() => undefined, 1000)
