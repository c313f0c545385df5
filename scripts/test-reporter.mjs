/**
 * Mocha reporter: gathers what came of one run and hands it to the function `done` of its options; `progress` is called as each test ends. The reason of a skipped test is
 * what it wrote into `this.test.skipReason` (test/support/needs.ts), else none.
 */

/** Begins the reason of a test that needs more than a machine of this kind has (test/support/needs.ts); it is named and is no failure. */
const NOT_MEASURED = 'not measured: '

export default class Reporter {
  constructor(runner, options) {
    const results = { passed: 0, failed: [], skipped: [], notMeasured: [] }
    runner.on('pass', () => results.passed++)
    runner.on('fail', (test, error) => results.failed.push({ title: test.fullTitle(), error: textOf(error) }))
    runner.on('pending', (test) => {
      const reason = reasonOf(test)
      const unmeasured = reason?.startsWith(NOT_MEASURED) === true
      const list = unmeasured ? results.notMeasured : results.skipped
      list.push({ title: test.fullTitle(), reason: unmeasured ? reason.slice(NOT_MEASURED.length) : reason })
    })
    runner.on('test end', () => options.reporterOptions.progress())
    runner.once('end', () => options.reporterOptions.done(results))
  }
}

/** The message, what was expected and found where the error has both, and the stack. */
function textOf(error) {
  const text = error?.stack ?? String(error)
  if (error?.showDiff === false || !('expected' in Object(error)) || !('actual' in Object(error))) return text
  const [message, ...stack] = text.split(/\n(?=\s+at )/)
  return [message, `  expected: ${short(error.expected)}`, `  actual:   ${short(error.actual)}`, ...stack].join('\n')
}

function short(value) {
  const text = typeof value === 'string' ? JSON.stringify(value) : (safeJson(value) ?? String(value))
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}

/** Undefined for what JSON cannot write. */
function safeJson(value) {
  try {
    return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
  } catch {
    return undefined
  }
}

function reasonOf(test) {
  for (let at = test; at !== undefined && at !== null; at = at.parent) if (typeof at.skipReason === 'string') return at.skipReason
  return null
}
