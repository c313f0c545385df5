import type { Web } from '../../../../core/outbound/types.js'
import { parseUrl } from '../../../../core/sdk/url.js'
import { ADDRESS_MARK } from './replay.js'
import { scriptedAddress } from './scripted-address.js'

/** Fetches addresses from replies of the vendor at the replay server, below `url`. */
export function scriptedWeb(web: Pick<Web, 'stream'>, url: string): Pick<Web, 'stream'> {
  return {
    stream: async (address, options, cancel) => {
      const { origin, pathname, search } = new URL(scriptedAddress(address).url)
      const prefix = `${url}${ADDRESS_MARK}${encodeURIComponent(origin)}`
      const reply = await web.stream(prefix + pathname + search, options, cancel)
      return {
        ...reply,
        url: reply.url.startsWith(prefix) ? origin + reply.url.slice(prefix.length) : (parseUrl(reply.url)?.href ?? address),
      }
    },
  }
}
