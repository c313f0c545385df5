import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { endLeftovers } from '../leftovers.mjs'

const VARIABLE = 'CAPSTAN_MUTANT_RUN'
/** Of one test that names no other, in milliseconds: a machine that does something else besides is slow. */
const TEST_TIMEOUT_MS = 60_000
const running = new Map()

/**
 * Runs one compiled spec in a tree, until its first failure or for so many milliseconds, and ends whatever it has left behind. Answers how many
 * tests passed, the title of the one that failed or null, and whether the time was over or the file was never run.
 */
export async function runSpec(tree, spec, limitMs = Infinity) {
  const id = randomUUID()
  const output = join(tree.folder, `.result-${id}.json`)
  const mocha = join(tree.folder, 'node_modules', 'mocha', 'bin', 'mocha.js')
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${output}`]
  const options = ['--no-config', '--require', 'reflect-metadata', '--timeout', String(TEST_TIMEOUT_MS), '--bail', '--exit', ...reporter]
  const env = { ...process.env, [VARIABLE]: id, FORCE_COLOR: '0' }
  delete env.NODE_V8_COVERAGE
  const began = performance.now()
  const { code, timedOut, text } = await ended([mocha, ...options, join('dist', spec)], { cwd: tree.folder, env, limitMs, id })
  endLeftovers(VARIABLE, id)
  const ms = performance.now() - began
  const report = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : null
  rmSync(output, { force: true })
  const failed = report?.failures[0]?.fullTitle ?? (timedOut ? 'the time was over' : code === 0 ? null : `it ended with ${code}`)
  return { passed: report?.passes.length ?? 0, failed, timedOut, loaded: report !== null, ms, text }
}

/** Ends every program of a run that is given up. */
export function endAll() {
  for (const [id, child] of running) {
    kill(child)
    endLeftovers(VARIABLE, id)
  }
}

function ended(args, { cwd, env, limitMs, id }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    running.set(id, child)
    let [text, timedOut] = ['', false]
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text = `${text}${chunk}`.slice(-4_000)))
    const timer =
      limitMs === Infinity
        ? null
        : setTimeout(() => {
            timedOut = true
            kill(child)
          }, limitMs)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      running.delete(id)
      // Programs that it left behind may hold its output open.
      kill(child)
      resolve({ code: code ?? signal, timedOut, text })
    })
  })
}

/** The program and all of its group. */
function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
