import type { Config } from '../../../core/config/index.js'
import type { ConfigProblem } from '../../../core/problems/errors.js'
import type { AuditReport } from '../audit/report.js'
import type { ConformanceCase } from '../kit/conformance/index.js'
import type { Check } from '../../../core/diagnosis/types.js'
import type { SandboxStatus } from '../../../core/exec/types.js'
import type { KeyService } from '../../../core/accounts/service.js'
import type { Registry } from '../../../core/loader/types.js'
import type { NewProvider } from '../kit/scaffold/index.js'
import type { Vendor } from '../../../core/sdk/index.js'
import type { Store } from '../../../core/store/types.js'

/** The parts of the gateway that commands use, each imported when first asked for, so that `--help` is fast. */
export interface Parts {
  /** Opens the database beside a running gateway. */
  store(config: Config): Promise<Store>
  /** Keys of accounts, with the rules of the API; `scopes` are the capability ids that a key may be bound to. */
  keys(store: Store, about: { readonly scopes: readonly string[]; readonly most: number }): Promise<KeyService>
  /** Checks the ledger by queries of its own, apart from the store that wrote it. */
  audit(config: Config): Promise<AuditReport>
  /** Tries the place of artifacts out and describes it. Rejects with one line that names the setting. */
  artifacts(config: Config): Promise<string>
  /** Asks the configured Redis and says how it answers. Rejects for a wrong address or credentials. */
  redis(config: Config): Promise<{ readonly shared: boolean; readonly detail: string }>
  registry(config: Config): Promise<Registry>
  /** What would keep a gateway from starting here although each setting can be read. */
  startProblems(config: Config): Promise<readonly ConfigProblem[]>
  sandbox(config: Config): Promise<SandboxStatus>
  /** Runs the probes of vendors; answers, by vendor, why one cannot work. */
  probes(vendors: readonly Vendor[], config: Config): Promise<ReadonlyMap<string, string>>
  /** Connects to a mail or WHOIS server as calls do, and ends with its closing line; answers why it could not connect, or null. */
  connects(target: NonNullable<Vendor['reaches']>, config: Config): Promise<string | null>
  /** Asks the resolver and the internet, a second each; two checks. */
  outside(config: Config): Promise<Check[]>
  serve(config: Config, options: { readonly json: boolean; readonly reread: () => Config }): Promise<number>
  /** The conformance cases of the plugins in these folders, or of all, and of those one vendor's alone where one is named; `close` when they ran. */
  conformance(
    wanted: { readonly folders: readonly string[]; readonly vendor?: string | undefined },
    config: Config,
  ): Promise<{ readonly cases: readonly ConformanceCase[]; close(): Promise<void> }>
  /** Writes the skeleton of a plugin and answers the files it made, absolute. */
  newPlugin(name: string, folder: string, form: { readonly files?: boolean; readonly javascript?: boolean }): Promise<readonly string[]>
  newProvider(order: { readonly port: string; readonly vendor: string; readonly folder: string }, config: Config): Promise<NewProvider>
  /** Writes plugins.lock for the third-party plugins and answers what it locked. */
  lockPlugins(config: Config): Promise<{ readonly file: string; readonly plugins: readonly string[] }>
}
