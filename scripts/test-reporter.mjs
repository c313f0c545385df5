/**
 * Mocha reporter: one line a file on standard output, failures in full, and everything as JSON in the file that the option
 * `output` names. The reason of a skipped test is what it wrote into `this.test.skipReason` (test/support/needs.ts), else
 * the title of its suite.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/** Begins the reason of a test that needs more than a machine of this kind has (test/support/needs.ts); it is named and is no failure. */
const NOT_MEASURED = 'not measured: '

export default class Reporter {
  constructor(runner, options) {
    const results = { passed: 0, failed: [], skipped: [], notMeasured: [], files: {} }
    const of = (test) => (results.files[fileOf(test)] ??= { passed: 0, failed: 0, skipped: 0, ms: 0 })
    let current = null
    const flush = () => {
      if (current === null) return
      const { passed, failed, skipped, ms } = results.files[current]
      const words = [`${passed} passed`, ...(failed > 0 ? [`${failed} failed`] : []), ...(skipped > 0 ? [`${skipped} skipped`] : [])]
      process.stdout.write(`  ${failed > 0 ? 'FAILED' : 'ok'}  ${current}  ${words.join(', ')}, ${(ms / 1000).toFixed(1)} s\n`)
    }
    const enter = (test) => {
      if (fileOf(test) !== current) flush()
      current = fileOf(test)
      return of(test)
    }
    runner.on('pass', (test) => {
      const file = enter(test)
      file.passed++
      file.ms += test.duration ?? 0
      results.passed++
    })
    runner.on('fail', (test, error) => {
      enter(test).failed++
      const text = error?.stack ?? String(error)
      results.failed.push({ file: fileOf(test), title: test.fullTitle(), error: text })
      process.stdout.write(
        `\n  FAILED ${test.fullTitle()}\n${text
          .split('\n')
          .slice(0, 25)
          .map((line) => `    ${line}`)
          .join('\n')}\n\n`,
      )
    })
    runner.on('pending', (test) => {
      const reason = reasonOf(test)
      const unmeasured = reason?.startsWith(NOT_MEASURED) === true
      if (unmeasured) enter(test)
      else enter(test).skipped++
      const list = unmeasured ? results.notMeasured : results.skipped
      list.push({ file: fileOf(test), title: test.fullTitle(), reason: unmeasured ? reason.slice(NOT_MEASURED.length) : reason })
    })
    runner.once('end', () => {
      flush()
      const output = options?.reporterOptions?.output ?? options?.reporterOption?.output
      if (output === undefined) return
      mkdirSync(dirname(output), { recursive: true })
      writeFileSync(output, JSON.stringify(results, null, 2))
    })
  }
}

function fileOf(test) {
  return relative(process.cwd(), test.file ?? test.parent?.file ?? 'unknown')
    .replace(/^dist\//, '')
    .replace(/\.js$/, '.ts')
}

function reasonOf(test) {
  for (let at = test; at !== undefined && at !== null; at = at.parent) if (typeof at.skipReason === 'string') return at.skipReason
  return null
}
