import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { Problem } from '../problems/problem.js'

/**
 * The exact environment of a child: Node passes NODE_V8_COVERAGE of its own environment to every child, even with an explicit
 * environment, unless that defines the name without a value.
 */
export function childEnv(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...variables, NODE_V8_COVERAGE: undefined }
}

/**
 * Starts a program with a listener for its `error` event from the start. Throws Problem `overloaded` when this process has no file
 * descriptors left for its pipes: Node then returns a child without any, and reports the error in the next tick.
 */
export function spawned(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, [...args], options)
  child.on('error', () => undefined)
  if (Reflect.get(child, 'stdio') === undefined)
    throw new Problem('overloaded', 'This gateway has no file descriptors left to start a program with.', {
      retryAfterSeconds: 5,
      action: 'Raise the limit of open files of the gateway (ulimit -n, LimitNOFILE= of its unit, --ulimit nofile= of its container).',
    })
  return child
}

/** Kills a process, or with a negative number its group, that may already have ended. */
export function killQuietly(pid: number): void {
  if (pid === 0) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
