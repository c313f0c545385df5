/** One process at a time installs and builds. */
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Runs the work while no other process does so under the same lock file; the lock of a process that died is taken over. */
export async function exclusively(lock, work) {
  mkdirSync(dirname(lock), { recursive: true })
  for (let waits = false; !take(lock); waits = true) {
    if (!waits) process.stderr.write('capstan: another start is installing or building here; waiting for it\n')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const release = () => rmSync(lock, { force: true })
  process.on('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** A link appears at once with its content, so that nobody reads a lock without an owner. */
function take(lock) {
  const mine = `${lock}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!alive(owner(lock))) dropStale(lock)
    return false
  } finally {
    rmSync(mine)
  }
}

/** One process at a time removes a lock whose owner died, after a second check: by then it may be a new lock of another process. */
function dropStale(lock) {
  const door = `${lock}.stale`
  try {
    mkdirSync(door)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (Date.now() - (statSync(door, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > 10_000)
      rmSync(door, { recursive: true, force: true })
    return
  }
  if (!alive(owner(lock))) rmSync(lock, { force: true })
  rmSync(door, { recursive: true, force: true })
}

function owner(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return 0
  }
}

function alive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
