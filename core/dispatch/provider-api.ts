import type { Cancel } from '../runtime/cancel.js'
import type { KindAnswer } from '../files/expected-kind.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import type { LoadedProvider } from '../loader/types.js'
import { answerOf, type ProviderContext, type ScratchFile } from '../sdk/index.js'
import { apiOf } from './api-replies.js'
import type { Environment } from './environment.js'
import { namedAddresses } from './named-addresses.js'
import { EXPECTED_KIND, vendorFilesOf } from './vendor-files.js'

/** The requests of a provider to its vendor within one try. `folder` gives the files of its call. */
export function providerApi(
  { api, web, clock, workers, shapes }: Environment,
  { access, contribution }: LoadedProvider,
  { cancel, folder }: { readonly cancel: Cancel; readonly folder: () => ScratchFolder },
): ProviderContext['api'] {
  const once = contribution.of.once === true
  const files = { size: (file: ScratchFile) => folder().size(file), read: (file: ScratchFile) => folder().read(file) }
  const options = { once, files }
  return apiOf({
    request: (call) => api.request(access, call, cancel, options),
    read: (shape, body) => shapes.read(shape, body),
    files: vendorFilesOf({
      folder,
      once,
      stream: (call) => api.stream(access, call, cancel, options),
      named: namedAddresses({ access, api, web, cancel, clock, files: () => files, once }),
      kindOf: async (question) => answerOf<KindAnswer>(await workers.run(EXPECTED_KIND, question, {}, cancel)),
    }),
  })
}
