import { createServer } from 'node:http'
import type { Settings } from '../config/types.js'
import type { ConfigProblem } from '../problems/errors.js'
import { listenError, type Role } from './listen-error.js'

/** Configured hosts on which this machine cannot listen, each tested with a free port; problems name the settings. */
export async function hostProblems(settings: Settings): Promise<readonly ConfigProblem[]> {
  const { host, admin_host } = settings.server
  const tries: [Role, string][] = [['main', host], ...(admin_host === host ? [] : ([['admin', admin_host]] satisfies [Role, string][]))]
  const found = await Promise.all(tries.map(([role, name]) => problemsOf(settings, role, name)))
  return found.flat()
}

async function problemsOf(settings: Settings, role: Role, host: string): Promise<readonly ConfigProblem[]> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, host, resolve)
    })
    return []
  } catch (error) {
    const refused = listenError(error, role, settings)
    if (refused === null) throw error
    return refused.problems
  } finally {
    server.close()
  }
}
