import type { Cancel } from '../runtime/cancel.js'
import type { KindAnswer } from '../files/expected-kind.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import type { LoadedProvider } from '../loader/types.js'
import { answerOf, type ProviderContext, type ScratchFile, type VendorFiles } from '../sdk/index.js'
import { apiOf } from './api-replies.js'
import type { Environment } from './environment.js'
import { namedAddresses } from './named-addresses.js'
import type { TryUse } from './vendor-use.js'
import { EXPECTED_KIND, vendorFilesOf } from './vendor-files.js'

/** A provider's requests to its vendor in one try; records replies in `tryUse`. `folder` holds the call's files. */
export function providerApi(
  { api, web, clock, workers, shapes }: Environment,
  { access, contribution }: LoadedProvider,
  { cancel, tryUse, folder }: { readonly cancel: Cancel; readonly tryUse: TryUse | undefined; readonly folder: () => ScratchFolder },
): ProviderContext['api'] {
  const once = contribution.of.once === true
  const files = { size: (file: ScratchFile) => folder().size(file), read: (file: ScratchFile) => folder().read(file) }
  const options = { once, files }
  const noted = <T>(reply: Promise<T>): Promise<T> =>
    reply.then((received) => {
      if (tryUse !== undefined) tryUse.replied = true
      return received
    })
  const vendorFiles = (): VendorFiles =>
    vendorFilesOf({
      folder,
      once,
      stream: (call) => noted(api.stream(access, call, cancel, options)),
      named: namedAddresses({ access, api, web, cancel, clock, files: () => files, once }),
      kindOf: async (question) => answerOf<KindAnswer>(await workers.run(EXPECTED_KIND, question, {}, cancel)),
    })
  return apiOf({
    request: (call) => noted(api.request(access, call, cancel, options)),
    read: (shape, body) => shapes.read(shape, body),
    files: vendorFiles,
  })
}
