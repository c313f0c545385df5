import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Context, Suite, Test } from 'mocha'

declare module 'mocha' {
  interface Runnable {
    /** Why the test did not run; scripts/test-reporter.mjs prints it. */
    skipReason?: string
  }
  interface Suite {
    skipReason?: string
  }
}

/** Skips the test, or in a `before` hook its whole suite, with a reason that the run prints. */
export function skip(context: Context, reason: string): never {
  const at: Test | Suite | undefined = context.test?.title.startsWith('"before') === true ? context.test.parent : context.currentTest
  const place = at ?? context.test
  if (place !== undefined) place.skipReason = reason
  return context.skip()
}

/** A test that is named and not run, and why. */
export function skipped(title: string, reason: string): void {
  it(title, function () {
    skip(this, reason)
  })
}

/** What the reason of a figure that needs more than this machine has begins with: such a test is named, and is no failure with CI=true. */
const NOT_MEASURED = 'not measured: '

/** Skips a figure or fault that only a server proper can show. */
export function notMeasured(context: Context, reason: string): never {
  return skip(context, `${NOT_MEASURED}${reason}`)
}

/** Skips when a program is not installed: a test that cannot run is counted and named, and with CI=true a failure. */
export function needsProgram(context: Context, program: string): void {
  if (programPath(program) === null) skip(context, `${program} is not installed`)
}

/** Where a program is, in the folders given or else in those of PATH; null when it is nowhere. */
export function programPath(program: string, first: readonly string[] = []): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  return [...first, ...folders].map((folder) => join(folder, program)).find(executable) ?? null
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
