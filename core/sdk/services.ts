import type { Cache } from './cache.js'
import type { Caps } from './caps.js'
import type { ExecOptions, ExecResult } from './exec.js'
import type { AddressCheck, NetServices } from './net.js'
import type { LiveProvider, Port } from './port.js'
import type { Given, Static, TObject, TSchema } from './schema.js'
import type { FileInfo, Scratch, ScratchFile, Stored } from './scratch.js'
import type { VendorFiles } from './vendor-files.js'
import type { Call } from './vendor-call.js'

/** What a model vendor counted for one request. */
export interface ModelTokens {
  /** The model that was asked for. */
  readonly model: string
  readonly input: number
  readonly output: number
  /** An estimate for a request that was stopped before its reply: it counts to the limit of unpaid tokens alone, not to metrics or the answer. */
  readonly estimated?: true
}

/** What belongs to one try of one provider. */
export interface TryServices<Context> {
  /**
   * Work that runs when this try ends in any way, also when its caller leaves or the gateway stops, unless it is withdrawn by the returned
   * function: to end at the vendor what the try began there. It gets a context of its own, `timeoutMs` (default 5,000, at most 30,000) and no
   * caller; nobody waits for it, and its failure is only logged.
   */
  cleanUp(work: (context: Context) => Promise<unknown>, options?: { readonly timeoutMs?: number }): () => void
  /**
   * What the vendor says this call cost, counted by vendor and currency: `USD`, or a unit in small letters such as `credits`. A figure that is
   * none is logged and not counted.
   */
  cost(amount: number, currency: string): void
  /** What a model vendor counted, also for an answer that is of no use: summed by vendor and model in `metadata.usage`. */
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
  /** Character set of the header, lower case; empty when none was given. */
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
  /** Reads https whose certificate is not trusted too. Such a page proves nothing of who sent it. */
  readonly untrustedTls?: boolean
}

/** How another port is asked. */
export interface CallOptions {
  /** Ask this vendor alone instead of the whole waterfall. */
  readonly only?: string
}

/**
 * Opaque names of who makes a call, the same for all calls of an account and of a key as long as the process runs: to give callers their turns
 * and to tell one from another, not to know them.
 */
export interface CallerNames {
  readonly account: string
  readonly key: string
}

/** What the core lends to handlers and providers for the length of one call. */
export interface Services extends AddressCheck {
  /** Addresses from callers, pages and replies: guarded, without credentials. */
  readonly web: { get(url: string, options?: WebOptions): Promise<Page> }
  readonly files: {
    put(data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo): Promise<Stored>
    /** Streams a foreign address through the guard into the store. */
    fetch(url: string, about: FileInfo & { maxBytes?: number }): Promise<Stored>
  }
  readonly scratch: Scratch
  /** Runs a program in the sandbox. The program is a name the vendor declared under `programs`. */
  exec(program: string, args: readonly string[], options?: ExecOptions): Promise<ExecResult>
  /** Runs the default export of a module of the plugin in a killable worker thread with a heap limit: for parsing foreign text. */
  work<T>(module: URL, input: unknown, options?: { timeoutMs?: number; heapMb?: number }): Promise<T>
  /**
   * Runs the default export of a module of the plugin on foreign binary bytes, in a sandboxed child process. A file of the call is streamed to the
   * child, which holds it in memory; reading it takes up to three times its size there.
   */
  parse<T>(module: URL, bytes: Uint8Array | ScratchFile, options?: { timeoutMs?: number; memoryMb?: number; args?: unknown }): Promise<T>
  /**
   * The same on several files of the call, or to make one: the module gets a list of their bytes in place of the one, and returns
   * `{ result, data }`. `data`, when it has bytes, becomes a file of the call; one of more than `maxBytes` is an `invalid` Fault.
   */
  parseFiles<T>(
    module: URL,
    files: readonly ScratchFile[],
    options?: { timeoutMs?: number; memoryMb?: number; args?: unknown; maxBytes?: number },
  ): Promise<{ readonly result: T; readonly file: ScratchFile | null }>
  readonly net: NetServices
  readonly caps: Caps
  /**
   * Asks another port or capability, unbilled, inside this call's deadline. Throws the most useful Fault when no provider had a result. A
   * capability with a handler runs that, within its own `timeoutMs`, and `only` is then a TypeError; the handler itself reaches the vendors.
   */
  call<I extends TObject, O extends TSchema>(port: Port<I, O>, input: Given<I>, options?: CallOptions): Promise<Static<O>>
  /** True when the port has a live provider, though it may be suspended; for a capability with a handler, when that can answer. */
  has(port: Port): boolean
  /** The live vendors of a port in the order of the waterfall, with those that are suspended. */
  providers<I extends TObject, O extends TSchema>(port: Port<I, O>): readonly LiveProvider<I>[]
  /** A long-lived thing of the plugin (a browser), made when first used; closed on stop, and by a reload in which the plugin or its settings changed. */
  use<R>(resource: Resource<R>): Promise<R>
  /** Sends a step to a caller who asked for events. It must carry nothing of the result: see `partialResult`. */
  progress(step: string, detail?: string, done?: number, total?: number): void
  /**
   * Sends a part of the result, in `detail`, to a caller who asked for events. The call then runs to its end and is charged when it succeeds, also when
   * its caller leaves: otherwise whoever has read enough would leave without paying.
   */
  partialResult(step: string, detail: string, done?: number, total?: number): void
  /** A remark for the caller, added to `metadata.notes`. */
  note(remark: string): void
  log(message: string, fields?: Readonly<Record<string, unknown>>): void
  /** Aborted at the deadline and when the caller hangs up. */
  readonly signal: AbortSignal
  /** Milliseconds until the call's deadline. */
  timeLeft(): number
  /** Waits so many milliseconds; rejects as soon as the call is stopped. */
  wait(ms: number): Promise<void>
  readonly requestId: string
  readonly caller: CallerNames
}

/** Values of settings, by name. */
export type SettingValues = Readonly<Record<string, unknown>>

/** What building a request may look at. */
export interface RequestContext<S = unknown> {
  /** Settings of the vendor and of the plugin, defaults filled in. */
  readonly settings: Readonly<S>
}

/** What a provider may look at when it says whether it serves an input. */
export interface ServesContext<S = unknown> extends RequestContext<S> {
  /** The vendor's address in force; empty for local vendors. */
  readonly baseUrl: string
}

/** What a provider may use beyond the common services: its vendor. */
export interface ProviderContext<S = unknown> extends Services, RequestContext<S>, TryServices<ProviderContext<S>> {
  readonly api: VendorFiles & {
    json<S extends TSchema>(call: Call, reply: S): Promise<Static<S>>
    text(call: Call): Promise<string>
    bytes(call: Call): Promise<Page>
  }
  /** A secret the vendor declared; throws on any other name. */
  secret(name: string): string
  /** The vendor's address in force, without a trailing slash. */
  readonly baseUrl: string
  readonly cache: Cache<ProviderContext<S>>
}

/** What a resident program is started with. */
export interface ResidentOptions extends Pick<ExecOptions, 'readOnly' | 'env' | 'memoryMb'> {
  /** A module of the plugin whose path is the first argument; it is shown with what it imports. */
  readonly module?: URL
}

/** A program that stays in its sandbox, without network, until it is killed. It is measured only by `during`. */
export interface ResidentProgram {
  /** Standard output, as it comes; ends with the program. */
  readonly output: AsyncIterable<Uint8Array>
  /** Resolves when the program has taken the bytes, or is gone. */
  write(bytes: Uint8Array): Promise<void>
  /** Runs the work; kills the program when that takes longer or the program uses more memory than it may. */
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
  /**
   * A script that starts a program inside the sandbox, for programs that are driven over pipes. The guard proxy at `proxyUrl` is
   * its only network.
   */
  launcher(program: string, options: { writable: readonly string[]; readOnly?: readonly string[] }): Promise<string>
  /** Starts a program in the sandbox, driven over its standard streams; it is killed when the resource is closed. */
  start(program: string, args: readonly string[], options?: ResidentOptions): Promise<ResidentProgram>
  /** Address of the guard proxy inside the sandbox, through which programs must reach the network. */
  readonly proxyUrl: string
  /** A private folder that is deleted when the resource is closed. */
  folder(): Promise<string>
  /** Settings of the plugin, and of the vendor whose provider opens it, defaults filled in. */
  readonly settings: Readonly<S>
  log(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** A long-lived thing that providers of one plugin share. */
export interface Resource<R, S = never> {
  readonly id: string
  /** The settings of its plugin, the same object as in `plugin({ settings })`. */
  readonly settings?: TObject
  readonly open: (host: ResourceHost<S>) => Promise<R>
  readonly close?: (resource: R) => Promise<void>
}
