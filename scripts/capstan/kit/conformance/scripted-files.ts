import { fileRefused } from '../../../../core/dispatch/scratch.js'
import type { FileInfo, Page, Stored } from '../../../../core/sdk/index.js'

/** The artifact store of a fixture case: in memory, with invented addresses. */
export class ScriptedFiles {
  readonly #page: (url: string) => Promise<Page>
  /** By id. */
  readonly stored = new Map<string, { readonly about: FileInfo; readonly bytes: Uint8Array }>()

  constructor(page: (url: string) => Promise<Page>) {
    this.#page = page
  }

  async put(data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo): Promise<Stored> {
    if (data instanceof Uint8Array) return this.#store(data, about)
    const chunks: Uint8Array[] = []
    for await (const chunk of data) chunks.push(chunk)
    return this.#store(Buffer.concat(chunks), about)
  }

  async fetch(url: string, about: FileInfo & { maxBytes?: number }): Promise<Stored> {
    const page = await this.found(url)
    return this.#store(page.bytes, { contentType: page.contentType, ...about })
  }

  /** A recorded page; throws a Fault for an unsuccessful status. */
  async found(url: string): Promise<Page> {
    const page = await this.#page(url)
    if (page.status >= 400) throw fileRefused(page.status)
    return page
  }

  #store(bytes: Uint8Array, about: FileInfo): Stored {
    const id = `file-${String(this.stored.size + 1)}`
    this.stored.set(id, { about, bytes })
    const { name, contentType = 'application/octet-stream' } = about
    return {
      id,
      url: `https://files.example.com/${id}/${name}`,
      size: bytes.byteLength,
      expires_at: '2030-01-01T00:00:00.000Z',
      content_type: contentType,
    }
  }
}
