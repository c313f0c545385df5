import type { Cancel } from '../../../../core/runtime/cancel.js'
import { apiOf, type ApiRoutes } from '../../../../core/dispatch/provider-api.js'
import { namedAddresses } from '../../../../core/dispatch/named-addresses.js'
import { vendorFilesOf } from '../../../../core/dispatch/vendor-files.js'
import { kindOf } from '../../../../core/files/expected-kind.js'
import type { ScratchFolder } from '../../../../core/files/scratch-folder.js'
import type { VendorAccess } from '../../../../core/sdk/host.js'
import type { ProviderContext } from '../../../../core/sdk/index.js'
import { scriptedWeb } from './scripted-web.js'
import type { TestEnvironment } from './test-environment.js'

interface ScriptedApiOptions {
  readonly access: VendorAccess
  /** Address of the replayed vendor. */
  readonly url: string
  readonly once: boolean
  readonly machine: TestEnvironment
  readonly cancel: Cancel
  readonly folder: ScratchFolder
  readonly read: ApiRoutes['read']
}

/** Requests to a vendor and to addresses from its replies, over real HTTP to the replay server. */
export function scriptedApi({ access, url, once, machine, cancel, folder, read }: ScriptedApiOptions): ProviderContext['api'] {
  const { api, clock } = machine
  const options = { once, files: folder }
  return apiOf({
    request: (call) => api.request(access, call, cancel, options),
    read,
    files: () =>
      vendorFilesOf({
        folder: () => folder,
        once,
        stream: (call) => api.stream(access, call, cancel, options),
        named: namedAddresses({ access, api, web: scriptedWeb(machine.web, url), cancel, clock, files: () => folder, once }),
        // A fixture's files are trusted: no thread is needed.
        kindOf,
      }),
  })
}
