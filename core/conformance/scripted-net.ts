import { answerOf, type NetServices } from '../sdk/index.js'
import type { FixtureCase } from './fixture.js'
import { failing, ScriptError, type RecordedCalls } from './script.js'

export type NetEntry = NonNullable<FixtureCase['net']>[number]

/** The network beyond HTTP as a fixture has it. `step` runs a part of the script; connections cannot be scripted. */
export function scriptedNet(entries: RecordedCalls<NetEntry>, step: <T>(work: () => T) => Promise<T>): NetServices {
  const recorded = <T>(kind: 'dns' | 'query' | 'tls' | 'inspectTls', asked: string, none?: unknown): Promise<T> =>
    step(() => {
      const entry = entries.take(`${kind} ${asked}`, (each) => {
        const expected = each[kind]
        const words = typeof expected === 'string' ? expected : expected?.join(' ')
        return words === asked ? null : `the next is ${JSON.stringify(each).slice(0, 100)}`
      })
      failing(entry.fault)
      return answerOf<T>(entry.answer ?? none)
    })
  return {
    dns: (name, type) => recorded('dns', `${name} ${type}`, []),
    query: (name, type) => recorded('query', `${name} ${type}`),
    tls: (host) => recorded('tls', host),
    inspectTls: (host) => recorded('inspectTls', host),
    connect: (host, port) =>
      step(() => {
        throw new ScriptError(`ctx.net.connect: ${host} ${port}: fixtures have no connections; test the dialogue by itself`)
      }),
  }
}
