import type { Config } from '../../../core/config/types.js'
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

/** The parts of the gateway that commands use, each imported on first use, so that `--help` is fast. */
export interface Parts {
  /** Opens the database beside a running gateway. */
  store(config: Config): Promise<Store>
  /** Keys of accounts, with the rules of the API; `scopes` are the capability ids that a key may be bound to. */
  keys(store: Store, about: { readonly scopes: readonly string[]; readonly most: number }): Promise<KeyService>
  /** Checks the ledger with its own queries, independently of the store that wrote it. */
  audit(config: Config): Promise<AuditReport>
  /** Tests the store of artifacts and describes it. Rejects with one line that names the setting. */
  artifacts(config: Config): Promise<string>
  /** Tests the configured Redis. Rejects for a wrong address or credentials. */
  redis(config: Config): Promise<{ readonly shared: boolean; readonly detail: string }>
  registry(config: Config): Promise<Registry>
  /** Problems that would prevent a gateway from starting although each setting is valid. */
  startProblems(config: Config): Promise<readonly ConfigProblem[]>
  sandbox(config: Config): Promise<SandboxStatus>
  /** Runs the probes of vendors; returns the failures by vendor. */
  probes(vendors: readonly Vendor[], config: Config): Promise<ReadonlyMap<string, string>>
  /** Connects to a mail or WHOIS server as calls do, and ends with its closing line; returns why it could not connect, or null. */
  connects(target: NonNullable<Vendor['reaches']>, config: Config): Promise<string | null>
  /** Tests the resolver and the internet, a second each; two checks. */
  outside(config: Config): Promise<Check[]>
  serve(config: Config, options: { readonly json: boolean; readonly reread: () => Config }): Promise<number>
  /** The conformance cases of the plugins in these folders, or of all, only of one vendor if it is named; call `close` after they ran. */
  conformance(
    wanted: { readonly folders: readonly string[]; readonly vendor?: string | undefined },
    config: Config,
  ): Promise<{ readonly cases: readonly ConformanceCase[]; close(): Promise<void> }>
  /** Writes the skeleton of a plugin and returns the absolute paths of the created files. */
  newPlugin(name: string, folder: string, form: { readonly files?: boolean; readonly javascript?: boolean }): Promise<readonly string[]>
  newProvider(order: { readonly port: string; readonly vendor: string; readonly folder: string }, config: Config): Promise<NewProvider>
  /** Writes plugins.lock for the third-party plugins and returns what it locked. */
  lockPlugins(config: Config): Promise<{ readonly file: string; readonly plugins: readonly string[] }>
}
