import { setImmediate as turn } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { cpus } from 'node:os'
import { AdminToken } from './accounts/admin-token.js'
import { Authenticator, RedisUnknownKeys, KeyUses } from './accounts/authenticate.js'
import { History } from './accounts/history.js'
import { FailedLogins } from './accounts/login-guard.js'
import { Refusals } from './accounts/refusals.js'
import { Retention } from './accounts/retention.js'
import { KeyService } from './accounts/service.js'
import { AnswerEncoder } from './calls/encode.js'
import { IdempotencyService } from './calls/idempotency/service.js'
import type { Config } from './config/types.js'
import { AccountService, enabledAccounts } from './credits/account-service.js'
import { Balances, LedgerService } from './credits/ledger-service.js'
import { Deliveries, OWN_STORE_BATCH, SHARED_STORE_BATCH, PendingRefunds } from './credits/deliveries.js'
import { Lease } from './credits/lease.js'
import { PendingReversals } from './credits/pending-reversals.js'
import { PublishTimer } from './credits/publishing.js'
import { Sweeper } from './credits/sweeper.js'
import type { PluginFolders } from './diagnosis/changed-plugins.js'
import { diagnoseGateway } from './diagnosis/gateway.js'
import { placesOf, type Places, readiness } from './diagnosis/readiness.js'
import { VendorProbes } from './diagnosis/vendor-probes.js'
import { EntryCache, MemoryEntries } from './dispatch/cached/cache.js'
import { RedisEntries } from './dispatch/cached/redis.js'
import { CallEnvironments, EnvironmentPorts } from './dispatch/ports.js'
import { CleanUps, Probes } from './dispatch/background-work.js'
import type { Environment } from './dispatch/environment.js'
import { OperatorSuspensions, WaterfallOrders, ProviderControl } from './dispatch/provider-control.js'
import { PacedApi } from './dispatch/paced-api.js'
import { resourceHosts, Resources } from './dispatch/resources.js'
import { Shapes } from './dispatch/shapes.js'
import { SharedSuspensions } from './dispatch/suspension-shared.js'
import { SUSPENSION_TIMES, Suspensions } from './dispatch/suspension.js'
import { createWorkers } from './exec/workers.js'
import { Artifacts } from './files/artifacts.js'
import type { BlobStore } from './files/blobs.js'
import { watchedDisks } from './files/disk.js'
import { LinkSigner, WebWithOwnLinks } from './files/own-links.js'
import { ScratchFolder } from './files/scratch-folder.js'
import { Uploads } from './files/uploads.js'
import { LargeBodies } from './http/large/bodies.js'
import type { HttpServices } from './http/services.js'
import { openArtifacts } from './lifecycle/open-artifacts.js'
import { openLedger, openOutbound, openSandbox, openShared, type OpenedParts } from './lifecycle/open-parts.js'
import { oneAtATime, PluginLoads, reloadPlugins, Reloads } from './lifecycle/reloads.js'
import { LiveReplicas } from './lifecycle/replicas.js'
import type { Definitions } from './lifecycle/service-container.js'
import { AbortLimit, UnpaidUse } from './limits/unpaid.js'
import { ByteBudget } from './limits/byte-budget.js'
import { MemoryCaps } from './limits/caps.js'
import { KeyConcurrency } from './limits/concurrency.js'
import type { EventLimitOptions } from './limits/event-limit.js'
import { MemoryRateLimit } from './limits/rate.js'
import { RedisCaps } from './limits/redis-caps.js'
import { RedisConcurrency } from './limits/redis-concurrency.js'
import { vendorTurns } from './limits/redis-pace.js'
import { RedisRateLimit } from './limits/redis-rate.js'
import type { SharedRateLimit } from './limits/shared-rate.js'
import { processLoad, Shedder, type Load } from './limits/shedding.js'
import { slotsOf, WorkSlots } from './limits/slots.js'
import { RegistryHolder } from './loader/holder.js'
import type { Registry } from './loader/types.js'
import { systemClock } from './runtime/clock.js'
import { DiskWatch } from './runtime/disk-watch.js'
import { ulid, SharedNames } from './runtime/id.js'
import { currentMemoryLimit } from './exec/memory-limit.js'
import { RunningCalls } from './runtime/running.js'
import { SchemaCompiler } from './sdk/index.js'
import { LogWatch } from './store/log-watch.js'
import { SettingsWatch } from './store/settings-watch.js'
import { openLog } from './telemetry/log.js'
import { Metrics, type ProcessFaults } from './telemetry/metrics.js'
import { telemetryWith } from './telemetry/telemetry.js'
import type { Telemetry } from './telemetry/types.js'

/** The services of a gateway by token. Each room names what it uses in an interface of its own. */
export interface GatewayServices extends OpenedParts, HttpServices, Environment {
  /** Reads the configuration again, for a reload. */
  readonly reread: () => Config
  readonly blobs: BlobStore
  readonly holder: RegistryHolder
  readonly pluginLoads: PluginLoads
  readonly pluginFolders: () => PluginFolders
  readonly load: () => Promise<Registry>
  readonly reloads: Reloads
  /** Reloads plugins and configuration here; a failed reload keeps the old state and throws. */
  readonly reload: () => Promise<void>
  readonly places: Places
  /** The public address. The listener's applies where the operator configured none. */
  readonly address: { url: string }
  readonly telemetry: Telemetry
  readonly telemetryFor: (metrics: Metrics) => Telemetry
  readonly faults: ProcessFaults
  readonly linkSecret: string
  readonly replicas: LiveReplicas | null
  /** Number of running replicas, at least 1. */
  readonly replicaCount: () => number
  readonly reversals: PendingReversals
  readonly lease: Lease
  readonly sweeper: Sweeper
  readonly retention: Retention
  readonly publishing: PublishTimer
  readonly watch: SettingsWatch
  readonly logWatch: LogWatch
  readonly disks: DiskWatch
  readonly orders: WaterfallOrders
  readonly sharedSuspensions: SharedSuspensions | null
  readonly operatorSuspensions: OperatorSuspensions
  readonly vendorProbes: VendorProbes
  readonly sharedRates: SharedRateLimit | null
  readonly sharedEvents: EventLimitOptions['shared']
  /** Bytes that this process may use. */
  readonly memoryLimit: () => number
  readonly measureLoad: () => Load
}

/** Services that every gateway is given. */
export type GivenServices = 'config' | 'reread' | 'audit' | 'mcp'

/**
 * How each service is made. A gateway opens and starts its services from top to bottom and closes them from bottom to
 * top, so that each one can use those above it until it is closed.
 */
export const DEFINITIONS: Definitions<GatewayServices, GivenServices> = {
  // The gateway and its process.
  settings: ({ config }) => config.settings,
  clock: () => systemClock,
  log: ({ settings }) => openLog(settings.log).log,
  // For a gateway embedded in another process.
  faults: () => ({ logLinesDropped: () => 0, unownedErrors: () => ({ exception: 0, rejection: 0 }) }),
  instance: ({ clock }) => ulid(clock.now()),
  address: ({ settings }) => ({ url: settings.server.public_url ?? '' }),
  publicUrl: ({ address }) => {
    return () => address.url
  },
  compiler: () => new SchemaCompiler(),

  // Closed last, so that a hanging collector blocks nothing else.
  telemetry: {
    make: (services) => {
      const { telemetryFor, faults, store, redis } = services
      const metrics = new Metrics({
        callsInFlight: () => services.running.size,
        suspended: () => services.suspensions.list().length,
        deliveries: () => services.deliveries,
        reversals: () => services.reversals,
        refunds: () => services.refunds,
        accountsAside: () => services.sweeper.aside,
        logBytes: store.logBytes === undefined ? null : () => services.logWatch.bytes,
        loopDelayMs: () => services.shedder.load.delayMs,
        disks: () => services.disks.check(),
        faults,
        redisShared: redis === null ? null : () => redis.state().shared,
      })
      return telemetryFor(metrics)
    },
    close: (telemetry) => telemetry.close(),
  },
  store: { open: openLedger, close: (store) => store.close() },
  ledgerStore: ({ store }) => store.ledger,
  outbound: { make: openOutbound, close: (outbound) => outbound.close() },
  net: ({ outbound }) => outbound.net,

  // The loaded plugins, and what runs code.
  sandbox: { make: openSandbox, close: (sandbox) => sandbox.close() },
  pluginLoads: (services) => new PluginLoads(services),
  load: ({ pluginLoads }) => pluginLoads.load.bind(pluginLoads),
  needRestart: ({ pluginLoads }) => pluginLoads.needRestart.bind(pluginLoads),
  pluginFolders: ({ pluginLoads }) => pluginLoads.folders.bind(pluginLoads),
  holder: {
    open: async ({ load }) => new RegistryHolder(await load()),
    close: (holder) => holder.current.dispose(),
    closeWith: 'sandbox',
  },
  registry: ({ holder }) => {
    return () => holder.current
  },
  begin: ({ holder }) => holder.begin.bind(holder),
  // Code may occupy a thread for minutes, so there are more threads than slots for code.
  workers: {
    make: ({ clock, settings }) =>
      createWorkers({ clock, size: slotsOf(settings.limits).code + Math.max(2, cpus().length), mostOfOne: Math.max(1, cpus().length - 1) }),
    close: (workers) => workers.close(),
    closeWith: 'sandbox',
  },
  encoder: { make: ({ clock }) => new AnswerEncoder(clock), close: (encoder) => encoder.close(), closeWith: 'sandbox' },
  largeBodies: { make: ({ clock }) => new LargeBodies(clock), close: (bodies) => bodies.close(), closeWith: 'sandbox' },

  // What else is opened at the start.
  redis: { open: openShared, close: (redis) => redis?.close() },
  blobs: { open: ({ config, outbound, clock, log }) => openArtifacts(config, { transport: outbound.operator, clock, log }) },
  places: { open: placesOf },
  telemetryFor: { open: ({ settings }) => telemetryWith(settings.otel.endpoint) },
  linkSecret: { open: ({ store }) => store.settings.putIfAbsent('link-secret', randomBytes(32).toString('hex')) },
  names: ({ linkSecret }) => new SharedNames(linkSecret),
  adminToken: {
    open: ({ settings, store }) => AdminToken.open(settings.server.admin_token, store.settings),
    start: ({ adminToken, watch }) => watch.on(() => adminToken.read()),
  },

  resources: { make: (services) => new Resources(resourceHosts(services), services.clock), close: (resources) => resources.close() },
  vendorProbes: { make: (services) => new VendorProbes(services), close: (probes) => probes.close() },

  // The lease of this gateway, and what writes to the store until it ends.
  lease: {
    make: ({ store, clock, instance, log }) => new Lease(store.leases, clock, { instance, log }),
    start: ({ lease }) => lease.start(),
    close: (lease, { running, refunds, deliveries, reversals }) =>
      lease.end({ unsettled: running.size + refunds.unsettled + deliveries.size + reversals.size }),
  },
  sweeper: {
    make: ({ store, clock, instance, log }) => new Sweeper(store, clock, { instance, log }),
    start: ({ sweeper }) => sweeper.start(),
    close: (sweeper) => sweeper.close(),
  },
  retention: {
    make: ({ store, clock, settings, instance, log }) => new Retention(store, clock, { instance, days: settings.history.days, log }),
    start: ({ retention }) => retention.start(),
    close: (retention) => retention.close(),
  },
  publishing: {
    make: ({ store, clock, instance, log }) => new PublishTimer(store.ledger, clock, { instance, log }),
    start: ({ publishing }) => publishing.start(),
    close: (publishing) => publishing.close(),
  },
  reversals: {
    make: ({ store, clock, instance, log }) => new PendingReversals(store.ledger, clock, { instance, log, idempotency: store.idempotency }),
    close: (reversals) => reversals.close(),
  },
  keyUses: { make: ({ store, clock, log }) => new KeyUses(store.keys, clock, log), close: (uses) => uses.flush() },
  refusals: {
    make: ({ store, clock, instance, log }) => new Refusals(store.history, clock, instance, log),
    close: (refusals) => refusals.close(),
    closeWith: 'keyUses',
  },
  deliveries: {
    make: ({ store, clock, log }) =>
      new Deliveries(store.ledger, clock, { log, batch: store.shared ? SHARED_STORE_BATCH : OWN_STORE_BATCH }),
    close: (deliveries) => deliveries.close(),
    closeWith: 'keyUses',
  },
  // The answer of a call that has just ended is written in the next turn.
  refunds: { make: () => new PendingRefunds(), close: (refunds) => turn().then(() => refunds.settled()) },
  ledger: ({ store, clock, instance, settings, reversals }) => {
    const { account_concurrency: accountConcurrency } = settings.limits
    return new LedgerService(store.ledger, clock, { instance, accountConcurrency, retryMs: 1_000, reversals })
  },
  enabledAccounts: ({ store }) => enabledAccounts.bind(null, store),
  balances: ({ clock }) => new Balances(() => clock.monotonic()),

  // Files.
  artifacts: {
    make: ({ store, blobs, settings: { artifacts_ttl, artifacts_quota }, clock, linkSecret, publicUrl }) => {
      const settings = { ttlSeconds: artifacts_ttl, quotaBytes: artifacts_quota, publicUrl }
      return new Artifacts({ records: store.artifacts, blobs, links: new LinkSigner(linkSecret), clock, settings })
    },
    start: ({ artifacts, log }) => artifacts.startPurge(log),
    stop: (artifacts) => artifacts.close(),
  },
  files: ({ artifacts }) => artifacts,
  openLink: ({ artifacts }) => artifacts.openLink.bind(artifacts),
  openScratch: ({ settings }) => {
    return () => new ScratchFolder(settings.limits.scratch)
  },
  uploads: {
    make: ({ artifacts: files, workers, clock, settings }) => new Uploads({ files, workers, clock, settings }),
    close: (uploads) => uploads.close(),
  },
  storageQuota: ({ settings }) => settings.artifacts_quota,

  // Calls: a stop waits for those that run before anything is closed.
  probes: () => new Probes(),
  running: () => new RunningCalls(),
  cleanUps: {
    make: ({ clock, log }) => new CleanUps(clock, log),
    close: (cleanUps, { running, probes }) => Promise.all([running.idle(), probes.close()]).then(() => cleanUps.close()),
  },
  slots: ({ clock, settings }) => new WorkSlots(clock, slotsOf(settings.limits)),
  answerLimit: ({ settings }) => settings.limits.answer,
  idempotency: ({ store, clock, instance, artifacts: files, reversals }) =>
    new IdempotencyService(store.idempotency, clock, { instance, files, reversals }),
  environments: (services) => new CallEnvironments(services),
  ports: (services) => new EnvironmentPorts(() => services),
  api: ({ outbound, clock, redis, replicaCount }) =>
    new PacedApi(outbound.api, clock, vendorTurns({ link: redis, clock, replicas: replicaCount })),
  web: ({ outbound, openLink }) => new WebWithOwnLinks(outbound.web, openLink),
  shapes: () => new Shapes(),
  cache: ({ clock, settings, redis, probes }) =>
    new EntryCache({
      clock,
      memory: new MemoryEntries(clock, settings.limits.cache),
      shared: redis === null ? null : new RedisEntries(redis),
      background: (cancel, work) => probes.add(cancel, work),
    }),
  caps: ({ redis, clock, replicaCount }) =>
    redis === null ? new MemoryCaps(clock) : new RedisCaps({ link: redis, clock, replicas: replicaCount }),

  // The operator's control, and accounts with their keys.
  reload: (services) => oneAtATime(() => reloadPlugins(services)),
  reloads: ({ store, watch, clock, log, reload }) => new Reloads(store.settings, watch, { clock, reload, log }),
  reloadAll: ({ reloads }) => reloads.request.bind(reloads),
  suspensions: ({ clock, log, enabledAccounts }) => new Suspensions(clock, SUSPENSION_TIMES, log, enabledAccounts),
  operatorSuspensions: ({ store, watch, suspensions, holder }) =>
    new OperatorSuspensions(store.settings, watch, suspensions, (suspended) => holder.mark({ suspended })),
  orders: ({ store, watch, holder }) => new WaterfallOrders(store.settings, watch, (orders) => holder.order(orders)),
  providerControl: ({ registry, suspensions, operatorSuspensions, orders, accounts }) =>
    new ProviderControl({ registry, suspensions, operatorSuspensions, orders, audit: accounts.auditor('admin') }),
  accounts: ({ store, clock, vendorProbes }) => new AccountService(store, clock, () => vendorProbes.runInBackground()),
  keys: (services) => {
    const { store, clock, registry, settings } = services
    const scopes = (): string[] => [...registry().capabilities.keys()]
    const { keys: most } = settings.limits
    return new KeyService(store.keys, clock, { scopes, most, changed: (hash) => services.authenticator.forget(hash) })
  },
  authenticator: ({ store, clock, logins, redis }) =>
    new Authenticator(store.keys, clock, logins, redis === null ? undefined : new RedisUnknownKeys(redis)),
  history: ({ store, clock }) => new History(store.history, clock),
  readiness: ({ store, redis, registry, disks, shedder }) => {
    return () => readiness({ store, redis, registry: registry(), disks: disks.check(), draining: shedder.leaving })
  },
  diagnosis: (services) => diagnoseGateway.bind(null, services),

  // Limits, shared by all replicas where there is a Redis.
  replicaCount: ({ replicas }) => {
    return () => replicas?.count ?? 1
  },
  sharedEvents: ({ redis, replicaCount }) => (redis === null ? null : { link: redis, replicas: replicaCount }),
  logins: ({ clock, settings, sharedEvents: shared }) => {
    const { failed_logins: most, failed_logins_window: windowSeconds } = settings.limits
    return new FailedLogins(clock, { most, windowSeconds, shared })
  },
  aborts: ({ clock, settings, sharedEvents }) => new AbortLimit(clock, settings.limits.aborts_per_minute, sharedEvents),
  unpaid: ({ clock, settings, sharedEvents }) => {
    const { unpaid_tokens: tokens, unpaid_vendor_calls: calls } = settings.limits
    return new UnpaidUse(clock, { tokens, calls }, sharedEvents)
  },
  // A new limit of what accounts may do is added here.
  accountLimits: ({ aborts, unpaid }) => [aborts, unpaid],
  sharedRates: ({ redis, clock, replicaCount }) =>
    redis === null ? null : new RedisRateLimit({ link: redis, clock, local: new MemoryRateLimit(clock), replicas: replicaCount }),
  rates: ({ clock, sharedRates }) => sharedRates ?? new MemoryRateLimit(clock),
  memoryLimit: ({ clock }) => currentMemoryLimit(clock),
  measureLoad: ({ memoryLimit }) => processLoad(memoryLimit).measure,
  bytes: ({ clock, settings, memoryLimit }) => {
    const { buffer, account_buffer: account, address_buffer: address } = settings.limits
    return new ByteBudget(clock, { account, address, all: () => buffer ?? memoryLimit() / 4 })
  },

  // What runs by itself from the start until the stop begins.
  logWatch: {
    make: ({ store, clock, log }) => new LogWatch(store, clock, log),
    start: ({ logWatch }) => logWatch.start(),
    stop: (watch) => watch.close(),
  },
  disks: {
    make: ({ store, blobs, clock, log }) => new DiskWatch(watchedDisks(store, blobs), clock, log),
    start: ({ disks }) => disks.start(),
    stop: (disks) => disks.close(),
  },
  watch: {
    make: ({ store, clock, log }) => new SettingsWatch(store.settings, clock, log),
    start: ({ watch }) => watch.check(),
    stop: (watch) => watch.close(),
  },
  replicas: {
    make: ({ redis, store, clock, log }) => (redis === null ? null : new LiveReplicas(store.leases, clock, log)),
    start: ({ replicas }) => replicas?.recount(),
    stop: (replicas) => replicas?.close(),
  },
  sharedSuspensions: {
    make: ({ redis, suspensions, clock, instance }) =>
      redis === null ? null : new SharedSuspensions(suspensions, { link: redis, clock, instance }),
    start: ({ sharedSuspensions }) => sharedSuspensions?.sync(),
    stop: (shared) => shared?.close(),
  },
  concurrency: {
    make: ({ settings, sharedRates, rates, redis: link, clock, replicaCount: replicas, instance }) => {
      const most = settings.limits.key_concurrency
      if (link === null || sharedRates === null) return new KeyConcurrency(rates, most)
      return new RedisConcurrency({ link, clock, rates: sharedRates, most, replicas, instance })
    },
    stop: (concurrency) => concurrency.close(),
  },
  shedder: {
    make: ({ clock, measureLoad }) => new Shedder(clock, measureLoad),
    stop: (shedder) => shedder.close(),
  },
}
