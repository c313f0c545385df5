import { answerOf, type NetServices } from '../../../../core/sdk/index.js'
import type { FixtureCase } from './fixture.js'
import { failing, type RecordedCalls } from './script.js'
import { ScriptedLines } from './scripted-lines.js'

export type NetEntry = NonNullable<FixtureCase['net']>[number]

/** The recorded network beyond HTTP. `step` runs a part of the script. */
export function scriptedNet(entries: RecordedCalls<NetEntry>, step: <T>(work: () => T) => Promise<T>): NetServices {
  const entryOf = (kind: 'dns' | 'query' | 'tls' | 'inspectTls' | 'connect', name: string): NetEntry => {
    const entry = entries.take(`${kind} ${name}`, (each) => {
      const expected = each[kind]
      const words = typeof expected === 'string' ? expected : expected?.join(' ')
      return words === name ? null : `the next is ${JSON.stringify(each).slice(0, 100)}`
    })
    failing(entry.fault)
    return entry
  }
  return {
    dns: (name, type) => step(() => answerOf<unknown[]>(entryOf('dns', `${name} ${type}`).answer ?? [])),
    query: (name, type, { unchecked = false } = {}) =>
      step(() => answerOf(entryOf('query', `${name} ${type}${unchecked ? ' unchecked' : ''}`).answer)),
    tls: (host) => step(() => answerOf(entryOf('tls', host).answer)),
    inspectTls: (host) => step(() => answerOf(entryOf('inspectTls', host).answer)),
    connect: (host, port) =>
      step(() => {
        const { lines = [], answer } = entryOf('connect', `${host} ${port}`)
        return new ScriptedLines({ host, port, lines, answer, step })
      }),
  }
}
