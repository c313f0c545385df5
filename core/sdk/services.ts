import type { Cache } from './cache.js'
import type { Caps } from './caps.js'
import type { ExecOptions, ExecResult, ParsedFiles, ParseOptions } from './exec.js'
import type { AddressCheck, NetServices } from './net.js'
import type { LiveProvider, Port } from './port.js'
import type { Given, Static, TObject, TSchema } from './schema.js'
import type { FileInfo, Scratch, ScratchFile, Stored } from './scratch.js'
import type { VendorFiles } from './vendor-files.js'
import type { Call } from './vendor-call.js'

/** The token counts of a model vendor for one request. */
export interface ModelTokens {
  /** The requested model. */
  readonly model: string
  readonly input: number
  readonly output: number
  /** An estimate for a request that was stopped before its reply: counts only toward the limit of unpaid tokens. */
  readonly estimated?: true
}

/** Services of one try of one provider. */
export interface TryServices<Context> {
  /**
   * Registers work that runs when this try ends in any way, also when its caller disconnects or the gateway stops,
   * unless the returned function withdraws it: use it to end at the vendor what the try started there. The work gets
   * its own context, `timeoutMs` (default 5,000, at most 30,000) and no caller; nothing waits for it, and its failure
   * is only logged.
   */
  cleanUp(work: (context: Context) => Promise<unknown>, options?: { readonly timeoutMs?: number }): () => void
  /**
   * Reports what the vendor says this call cost, summed by vendor and currency: `USD`, or a unit in small letters such
   * as `credits`. An invalid figure is logged and not counted.
   */
  cost(amount: number, currency: string): void
  /** Reports a model vendor's token counts, also of unused answers: summed by vendor and model in `metadata.usage`. */
  tokens(used: ModelTokens): void
}

/** A page or file of bounded size, fetched through the guard or from a vendor. */
export interface Page {
  /** The address after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Media type without parameters, lower case; empty when unknown. */
  readonly contentType: string
  /** Character set of the header, lower case; empty when the header has none. */
  readonly charset: string
  readonly bytes: Uint8Array
}

export interface WebOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Largest body in bytes after decompression, default 10 MiB. */
  readonly maxBytes?: number
  readonly timeoutMs?: number
  readonly maxRedirects?: number
  /** Accepts https with an untrusted certificate. The sender of such a page is unverified. */
  readonly untrustedTls?: boolean
}

/** Options for calling another port. */
export interface CallOptions {
  /** Calls this vendor alone instead of the whole waterfall. */
  readonly only?: string
}

/**
 * Opaque identifiers of the account and key of a call, constant as long as the process runs: for fair queues and for
 * distinguishing callers, not for identifying them.
 */
export interface CallerNames {
  readonly account: string
  readonly key: string
}

/** What handlers and providers can use during one call. */
export interface Services extends AddressCheck {
  /** Addresses from callers, pages and replies: guarded, without credentials. */
  readonly web: { get(url: string, options?: WebOptions): Promise<Page> }
  readonly files: {
    put(data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo): Promise<Stored>
    /** Downloads a foreign address through the guard into the store. */
    fetch(url: string, about: FileInfo & { maxBytes?: number }): Promise<Stored>
  }
  readonly scratch: Scratch
  /** Runs a program in the sandbox. The program is a name that the vendor declares under `programs`. */
  exec(program: string, args: readonly string[], options?: ExecOptions): Promise<ExecResult>
  /** Runs the default export of a module of the plugin in a killable worker with a heap limit: for foreign text. */
  work<T>(module: URL, input: unknown, options?: { timeoutMs?: number; heapMb?: number }): Promise<T>
  /**
   * Runs the default export of a module of the plugin on foreign binary bytes, in a sandboxed child process. A file of
   * the call is streamed to the child, which holds it in memory and needs up to three times its size to read it.
   */
  parse<T>(module: URL, bytes: Uint8Array | ScratchFile, options?: ParseOptions): Promise<T>
  /**
   * The same with several files of the call as input, or a file as output: the module receives a list of their bytes
   * and returns `{ result, data }`. `data`, if not empty, becomes a file of the call; more than `maxBytes` is an
   * `invalid` Fault.
   */
  parseFiles<T>(module: URL, files: readonly ScratchFile[], options?: ParseOptions): Promise<ParsedFiles<T>>
  readonly net: NetServices
  readonly caps: Caps
  /**
   * Calls another port or capability within this call's deadline, without charge. Throws the most useful Fault when no
   * provider had a result. For a capability with a handler it runs the handler, within its own `timeoutMs`, and `only`
   * is a TypeError; from the handler itself it calls the vendors.
   */
  call<I extends TObject, O extends TSchema>(port: Port<I, O>, input: Given<I>, options?: CallOptions): Promise<Static<O>>
  /** True when the port has a live provider, suspended or not; for a capability with a handler, when it can answer. */
  has(port: Port): boolean
  /** The live vendors of a port in the order of the waterfall, including suspended ones. */
  providers<I extends TObject, O extends TSchema>(port: Port<I, O>): readonly LiveProvider<I>[]
  /**
   * A long-lived resource of the plugin (a browser), opened at its first use; closed when the gateway stops, and by a
   * reload in which the plugin or its settings changed.
   */
  use<R>(resource: Resource<R>): Promise<R>
  /** Sends a progress step to a caller that requested events, without any of the result: see `partialResult`. */
  progress(step: string, detail?: string, done?: number, total?: number): void
  /**
   * Sends a part of the result, in `detail`, to a caller that requested events. The call then runs to its end and is
   * charged when it succeeds, even if its caller disconnects: otherwise a caller could read enough and disconnect
   * without paying.
   */
  partialResult(step: string, detail: string, done?: number, total?: number): void
  /** A note for the caller, added to `metadata.notes`. */
  note(remark: string): void
  log(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** Aborted at the deadline and when the caller disconnects. */
  readonly signal: AbortSignal
  /** Milliseconds until the call's deadline. */
  timeLeft(): number
  /** Waits so many milliseconds; rejects as soon as the call is stopped. */
  wait(ms: number): Promise<void>
  readonly requestId: string
  readonly caller: CallerNames
  /** True when the call is charged to the account with this id, which a setting of the operator names. */
  isAccount(id: string): boolean
}

/** Values of settings, by name. */
export type SettingValues = Readonly<Record<string, unknown>>

/** What `request` of an HTTP provider may use. */
export interface RequestContext<S = unknown> {
  /** Settings of the vendor and of the plugin, defaults filled in. */
  readonly settings: Readonly<S>
}

/** What a provider may use to decide whether it serves an input. */
export interface ServesContext<S = unknown> extends RequestContext<S> {
  /** The vendor's configured address; empty for local vendors. */
  readonly baseUrl: string
}

/** What a provider may use in addition to the common services: its vendor. */
export interface ProviderContext<S = unknown> extends Services, RequestContext<S>, TryServices<ProviderContext<S>> {
  readonly api: VendorFiles & {
    json<S extends TSchema>(call: Call, reply: S): Promise<Static<S>>
    text(call: Call): Promise<string>
    bytes(call: Call): Promise<Page>
  }
  /** The value of a declared secret; throws for any other name. */
  secret(name: string): string
  /** The vendor's configured address, without a trailing slash. */
  readonly baseUrl: string
  readonly cache: Cache<ProviderContext<S>>
}

/** What a resident program is started with. */
export interface ResidentOptions extends Pick<ExecOptions, 'readOnly' | 'env' | 'memoryMb'> {
  /** A module of the plugin whose path is the first argument; it is shown with what it imports. */
  readonly module?: URL
}

/** A program that stays in its sandbox, without network, until it ends or is killed. */
export interface ResidentProgram {
  /** Standard output, as it comes; ends with the program. */
  readonly output: AsyncIterable<Uint8Array>
  /** Resolves when the program has taken the bytes, or is gone. */
  write(bytes: Uint8Array): Promise<void>
  /** Runs the work; kills the program above `timeoutMs` or its memory limit. Only then is it measured. */
  during<T>(timeoutMs: number, work: () => Promise<T>): Promise<T>
  /** Why it was killed by `during`, or, once it has ended, for memory by the kernel. */
  stopped(): 'time' | 'memory' | null
  /** The end of what it wrote to standard error, at most 2,000 characters. */
  errors(): string
  kill(): void
  readonly ended: Promise<unknown>
}

/** What opening a resource may use. */
export interface ResourceHost<S = unknown> {
  /** Absolute path of a program, or undefined when it is not installed. */
  program(name: string): string | undefined
  /** A script that starts a program in the sandbox, controlled over pipes, with only the network of the guard proxy. */
  launcher(program: string, options: { writable: readonly string[]; readOnly?: readonly string[] }): Promise<string>
  /** Starts a program in the sandbox that answers over its standard streams; killed when the resource is closed. */
  start(program: string, args: readonly string[], options?: ResidentOptions): Promise<ResidentProgram>
  /** Address of the guard proxy inside the sandbox, the only way from there to the network. */
  readonly proxyUrl: string
  /** A private folder that is deleted when the resource is closed. */
  folder(): Promise<string>
  /** Settings of the plugin, and of the vendor whose provider opens it, defaults filled in. */
  readonly settings: Readonly<S>
  log(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** A long-lived resource that providers of one plugin share. */
export interface Resource<R, S = never> {
  readonly id: string
  /** The settings of its plugin, the same object as in `plugin({ settings })`. */
  readonly settings?: TObject
  readonly open: (host: ResourceHost<S>) => Promise<R>
  readonly close?: (resource: R) => Promise<void>
}
