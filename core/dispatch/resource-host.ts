import { rm } from 'node:fs/promises'
import { PROXY_URL } from '../exec/network.js'
import type { Sandbox } from '../exec/types.js'
import { inRoom, jobFolder } from '../exec/job-folder.js'
import type { Log } from '../runtime/log-events.js'
import type { ResidentProgram } from '../sdk/index.js'
import type { HostOf } from './resources.js'

/** Hosts for resources; the folders of each are deleted when it is closed. */
export function resourceHosts(parts: { sandbox: Sandbox; log: Log }): HostOf {
  const { sandbox, log } = parts
  return (id, settings) => {
    const folders: string[] = []
    const residents = new Set<ResidentProgram>()
    const folder = async (): Promise<string> => {
      const made = await jobFolder()
      folders.push(made)
      return made
    }
    return {
      host: {
        program: (name) => sandbox.program(name),
        launcher: async (program, options) =>
          await inRoom(async () => await sandbox.launcher(program, { ...options, folder: await folder(), proxied: true })),
        start: async (program, args, options) => {
          const resident = await sandbox.start(program, args, options)
          residents.add(resident)
          void resident.ended.then(() => residents.delete(resident))
          return resident
        },
        proxyUrl: PROXY_URL,
        folder,
        settings,
        log: (message, fields) => log('plugin', message, { ...fields, resource: id }),
      },
      cleanUp: async () => {
        for (const resident of residents) resident.kill()
        await Promise.all([...residents].map(({ ended }) => ended))
        await Promise.all(folders.map((made) => rm(made, { recursive: true, force: true })))
      },
    }
  }
}
