import 'reflect-metadata'
import { cpus } from 'node:os'
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe'
import { RunningCalls } from './runtime/running.js'
import type { CallServices } from './calls/order.js'
import type { Config } from './config/types.js'
import { AccountService } from './credits/account-service.js'
import { Balances, LedgerService } from './credits/ledger-service.js'
import { Deliveries, OWN_STORE_BATCH, PendingRefunds, SHARED_STORE_BATCH } from './credits/deliveries.js'
import { Lease } from './credits/lease.js'
import { PublishTimer } from './credits/publishing.js'
import { Sweeper } from './credits/sweeper.js'
import { PendingReversals } from './credits/pending-reversals.js'
import { AnswerEncoder } from './calls/encode.js'
import { CleanUps, Probes } from './dispatch/background-work.js'
import { CallEnvironments, EnvironmentPorts } from './dispatch/ports.js'
import { VendorProbes } from './diagnosis/vendor-probes.js'
import { DiskWatch } from './runtime/disk-watch.js'
import { currentMemoryLimit } from './runtime/memory-limit.js'
import type { Environment } from './dispatch/environment.js'
import { OperatorSuspensions, ProviderControl, WaterfallOrders } from './dispatch/provider-control.js'
import { resourceHosts, Resources } from './dispatch/resources.js'
import { Shapes } from './dispatch/shapes.js'
import { SUSPENSION_TIMES, Suspensions } from './dispatch/suspension.js'
import { SharedSuspensions } from './dispatch/suspension-shared.js'
import { createWorkers } from './exec/workers.js'
import type { Workers } from './exec/types.js'
import { Artifacts } from './files/artifacts.js'
import { LinkSigner, WebWithOwnLinks } from './files/own-links.js'
import { ScratchFolder } from './files/scratch-folder.js'
import { Uploads } from './files/uploads.js'
import { enabledAccounts } from './lifecycle/open-parts.js'
import type { Opened } from './lifecycle/opened.js'
import { LargeBodies } from './http/large/bodies.js'
import { IdempotencyService } from './calls/idempotency/service.js'
import { Authenticator, KeyUses, RedisUnknownKeys } from './accounts/authenticate.js'
import { KeyService } from './accounts/service.js'
import { AbortLimit, UnpaidUse } from './limits/unpaid.js'
import { ByteBudget } from './limits/byte-budget.js'
import { KeyConcurrency, type Concurrency } from './limits/concurrency.js'
import type { EventLimitOptions } from './limits/event-limit.js'
import { FailedLogins } from './accounts/login-guard.js'
import { MemoryRateLimit, type RateLimit } from './limits/rate.js'
import { RedisConcurrency } from './limits/redis-concurrency.js'
import { vendorTurns } from './limits/redis-pace.js'
import { RedisRateLimit } from './limits/redis-rate.js'
import { processLoad, Shedder } from './limits/shedding.js'
import type { SharedRateLimit } from './limits/shared-rate.js'
import { WorkSlots } from './limits/slots.js'
import { PacedApi } from './dispatch/paced-api.js'
import { LiveReplicas } from './lifecycle/replicas.js'
import { SchemaCompiler } from './sdk/index.js'
import { SettingsWatch } from './store/settings-watch.js'
import { LogWatch } from './store/log-watch.js'
import { sharedValues } from './lifecycle/shared-values.js'
import { Metrics } from './telemetry/metrics.js'
import type { Telemetry } from './telemetry/types.js'
import { watchedDisks } from './lifecycle/watched-disks.js'
import { History } from './accounts/history.js'
import { Refusals } from './accounts/refusals.js'
import { Retention } from './accounts/retention.js'

function token<T>(name: string): InjectionToken<T> {
  return Symbol(name)
}

/** The tokens of all parts of the gateway. */
export const PARTS = {
  opened: token<Opened>('opened'),
  workers: token<Workers>('workers'),
  artifacts: token<Artifacts>('artifacts'),
  uploads: token<Uploads>('uploads'),
  resources: token<Resources>('resources'),
  suspensions: token<Suspensions>('suspensions'),
  orders: token<WaterfallOrders>('orders'),
  watch: token<SettingsWatch>('settings watch'),
  concurrency: token<Concurrency>('concurrency'),
  shedder: token<Shedder>('shedder'),
  memoryLimit: token<() => number>('memory limit'),
  bytes: token<ByteBudget>('bytes'),
  telemetry: token<Telemetry>('telemetry'),
  environment: token<Environment>('environment'),
  ledger: token<LedgerService>('ledger'),
  deliveries: token<Deliveries>('deliveries'),
  refunds: token<PendingRefunds>('pending refunds'),
  reversals: token<PendingReversals>('pending reversals'),
  publishing: token<PublishTimer>('publishing'),
  logWatch: token<LogWatch>('log watch'),
  disks: token<DiskWatch>('disks'),
  sweeper: token<Sweeper>('sweeper'),
  lease: token<Lease>('lease'),
  idempotency: token<IdempotencyService>('idempotency'),
  calls: token<CallServices>('calls'),
  logins: token<FailedLogins>('logins'),
  authenticator: token<Authenticator>('authenticator'),
  keys: token<KeyService>('keys'),
  keyUses: token<KeyUses>('key uses'),
  aborts: token<AbortLimit>('aborts'),
  unpaid: token<UnpaidUse>('unpaid'),
  sharedEvents: token<EventLimitOptions['shared']>('shared events'),
  rates: token<RateLimit>('rates'),
  sharedRates: token<SharedRateLimit | null>('shared rates'),
  sharedSuspensions: token<SharedSuspensions | null>('shared suspensions'),
  operatorSuspensions: token<OperatorSuspensions>('operator suspensions'),
  providerControl: token<ProviderControl>('provider control'),
  vendorProbes: token<VendorProbes>('vendor probes'),
  replicas: token<LiveReplicas>('replicas'),
  refusals: token<Refusals>('refusals'),
  history: token<History>('history'),
  retention: token<Retention>('retention'),
  accounts: token<AccountService>('accounts'),
  compiler: token<SchemaCompiler>('schema compiler'),
  largeBodies: token<LargeBodies>('large bodies'),
} as const

/** Registers how each part is built from others. One container for each app; apps share nothing. */
export function buildContainer(opened: Opened): DependencyContainer {
  const parts = container.createChildContainer()
  const add = <T>(name: InjectionToken<T>, make: (opened: Opened, get: <U>(name: InjectionToken<U>) => U) => T): void => {
    parts.register(name, { useFactory: instanceCachingFactory(() => make(opened, (other) => parts.resolve(other))) })
  }
  parts.register(PARTS.opened, { useValue: opened })
  add(PARTS.compiler, () => new SchemaCompiler())
  add(PARTS.largeBodies, ({ clock }) => new LargeBodies(clock))
  // Code may occupy a thread for minutes, so there are more threads than slots for code.
  add(PARTS.workers, ({ clock, config }) =>
    createWorkers({ clock, size: slotsOf(config).code + Math.max(2, cpus().length), mostOfOne: Math.max(1, cpus().length - 1) }),
  )
  add(PARTS.artifacts, ({ store, blobs, config, clock, linkSecret, publicUrl }) => {
    const { artifacts_ttl, artifacts_quota } = config.settings
    const settings = { ttlSeconds: artifacts_ttl, quotaBytes: artifacts_quota, publicUrl }
    return new Artifacts({ records: store.artifacts, blobs, links: new LinkSigner(linkSecret), clock, settings })
  })
  add(
    PARTS.uploads,
    ({ config, clock }, get) =>
      new Uploads({ files: get(PARTS.artifacts), workers: get(PARTS.workers), clock, mostBytes: config.settings.limits.upload }),
  )
  add(PARTS.resources, (given) => new Resources(resourceHosts(given), given.clock))
  add(PARTS.suspensions, ({ clock, log, store }) => new Suspensions(clock, SUSPENSION_TIMES, log, () => enabledAccounts(store)))
  add(PARTS.sharedSuspensions, ({ redis, clock, instance }, get) =>
    redis === null ? null : new SharedSuspensions(get(PARTS.suspensions), { link: redis, clock, instance }),
  )
  add(
    PARTS.operatorSuspensions,
    ({ store, holder }, get) =>
      new OperatorSuspensions(store.settings, get(PARTS.watch), get(PARTS.suspensions), (suspended) => holder.mark({ suspended })),
  )
  add(PARTS.providerControl, ({ holder }, get) => {
    const audit = get(PARTS.accounts).auditor('admin')
    const [suspensions, operatorSuspensions, orders] = [get(PARTS.suspensions), get(PARTS.operatorSuspensions), get(PARTS.orders)]
    return new ProviderControl({ registry: () => holder.current, suspensions, operatorSuspensions, orders, audit })
  })
  add(PARTS.vendorProbes, ({ holder, sandbox, clock, log }) => new VendorProbes({ holder, sandbox, clock, log }))
  add(PARTS.watch, ({ store, clock, log }) => new SettingsWatch(store.settings, clock, log))
  add(PARTS.orders, ({ store, holder }, get) => new WaterfallOrders(store.settings, get(PARTS.watch), (orders) => holder.order(orders)))
  add(PARTS.concurrency, ({ config, redis, clock, instance }, get) => {
    const most = config.settings.limits.key_concurrency
    const rates = get(PARTS.sharedRates)
    if (redis === null || rates === null) return new KeyConcurrency(get(PARTS.rates), most)
    return new RedisConcurrency({ link: redis, clock, rates, most, replicas: () => get(PARTS.replicas).count, instance })
  })
  add(PARTS.memoryLimit, ({ clock }) => currentMemoryLimit(clock))
  add(PARTS.shedder, ({ clock, measureLoad }, get) => new Shedder(clock, measureLoad ?? processLoad(get(PARTS.memoryLimit)).measure))
  add(PARTS.bytes, ({ clock, config }, get) => {
    const { buffer, account_buffer: account, address_buffer: address } = config.settings.limits
    return new ByteBudget(clock, { account, address, all: () => buffer ?? get(PARTS.memoryLimit)() / 4 })
  })
  add(PARTS.telemetry, ({ telemetryFor, redis, store, faults }, get) =>
    telemetryFor(
      new Metrics({
        callsInFlight: () => get(PARTS.calls).running.size,
        suspended: () => get(PARTS.suspensions).list().length,
        deliveries: () => get(PARTS.deliveries),
        reversals: () => get(PARTS.reversals),
        refunds: () => get(PARTS.refunds),
        accountsAside: () => get(PARTS.sweeper).aside,
        logBytes: store.logBytes === undefined ? null : () => get(PARTS.logWatch).bytes,
        loopDelayMs: () => get(PARTS.shedder).load.delayMs,
        disks: () => get(PARTS.disks).check(),
        faults,
        redisShared: redis === null ? null : () => redis.state().shared,
      }),
    ),
  )
  add(PARTS.environment, ({ config, holder, clock, outbound, sandbox, log, redis }, get) => {
    const replicas = (): number => get(PARTS.replicas).count
    const probes = new Probes()
    const openLink: Environment['openLink'] = (address, cancel) => get(PARTS.artifacts).openLink(address, cancel)
    const environment: Environment = {
      registry: () => holder.current,
      begin: () => holder.begin(),
      clock,
      api: new PacedApi(outbound.api, clock, vendorTurns({ link: redis, clock, replicas })),
      web: new WebWithOwnLinks(outbound.web, openLink),
      net: outbound.net,
      sandbox,
      workers: get(PARTS.workers),
      files: get(PARTS.artifacts),
      openLink,
      openScratch: () => new ScratchFolder(config.settings.limits.scratch),
      resources: get(PARTS.resources),
      suspensions: get(PARTS.suspensions),
      probes,
      cleanUps: new CleanUps(clock, log),
      shapes: new Shapes(),
      ...sharedValues(opened, { replicas, probes }),
      ports: new EnvironmentPorts(() => environment),
      log,
      onAttempt: (attempt) => get(PARTS.telemetry).attempt(attempt),
      onCost: (cost) => get(PARTS.telemetry).cost(cost),
      onTokens: (vendor, tokens) => get(PARTS.telemetry).tokens(vendor, tokens),
    }
    return environment
  })
  add(PARTS.refunds, () => new PendingRefunds())
  add(
    PARTS.reversals,
    ({ store, clock, instance, log }) => new PendingReversals(store.ledger, clock, { instance, log, idempotency: store.idempotency }),
  )
  add(PARTS.ledger, ({ store, clock, instance, config }, get) => {
    const accountConcurrency = config.settings.limits.account_concurrency
    return new LedgerService(store.ledger, clock, { instance, accountConcurrency, retryMs: 1_000, reversals: get(PARTS.reversals) })
  })
  add(
    PARTS.deliveries,
    ({ store, clock, log }) => new Deliveries(store.ledger, clock, { log, batch: store.shared ? SHARED_STORE_BATCH : OWN_STORE_BATCH }),
  )
  add(PARTS.disks, ({ store, blobs, clock, log }) => new DiskWatch(watchedDisks(store, blobs), clock, log))
  add(PARTS.logWatch, ({ store, clock, log }) => new LogWatch(store, clock, log))
  add(PARTS.publishing, ({ store, clock, instance, log }) => new PublishTimer(store.ledger, clock, { instance, log }))
  add(PARTS.lease, ({ store, clock, instance, log }) => new Lease(store.leases, clock, { instance, log }))
  add(PARTS.sweeper, ({ store, clock, instance, log }) => new Sweeper(store, clock, { instance, log }))
  add(
    PARTS.idempotency,
    ({ store, clock, instance }, get) =>
      new IdempotencyService(store.idempotency, clock, { instance, files: get(PARTS.artifacts), reversals: get(PARTS.reversals) }),
  )
  add(PARTS.calls, ({ config, clock, instance, store, publicUrl }, get) => ({
    environments: new CallEnvironments(get(PARTS.environment)),
    encoder: new AnswerEncoder(clock),
    clock,
    ledger: get(PARTS.ledger),
    deliveries: get(PARTS.deliveries),
    refunds: get(PARTS.refunds),
    idempotency: get(PARTS.idempotency),
    ledgerStore: store.ledger,
    slots: new WorkSlots(clock, slotsOf(config)),
    unpaid: get(PARTS.unpaid),
    running: new RunningCalls(),
    balances: new Balances(() => clock.monotonic()),
    instance,
    publicUrl,
    answerLimit: config.settings.limits.answer,
    storageQuota: config.settings.artifacts_quota,
  }))
  add(PARTS.sharedEvents, ({ redis }, get) => (redis === null ? null : { link: redis, replicas: () => get(PARTS.replicas).count }))
  add(PARTS.logins, ({ clock, config }, get) => {
    const { failed_logins: most, failed_logins_window: windowSeconds } = config.settings.limits
    return new FailedLogins(clock, { most, windowSeconds, shared: get(PARTS.sharedEvents) })
  })
  add(
    PARTS.authenticator,
    ({ store, clock, redis }, get) =>
      new Authenticator(store.keys, clock, get(PARTS.logins), redis === null ? undefined : new RedisUnknownKeys(redis)),
  )
  add(PARTS.keys, ({ store, clock, holder, config }, get) => {
    const scopes = (): string[] => [...holder.current.capabilities.keys()]
    const { keys: most } = config.settings.limits
    return new KeyService(store.keys, clock, { scopes, most, changed: (hash) => get(PARTS.authenticator).forget(hash) })
  })
  add(PARTS.keyUses, ({ store, clock, log }) => new KeyUses(store.keys, clock, log))
  add(PARTS.aborts, ({ clock, config }, get) => new AbortLimit(clock, config.settings.limits.aborts_per_minute, get(PARTS.sharedEvents)))
  add(PARTS.unpaid, ({ clock, config }, get) => {
    const { unpaid_tokens: tokens, unpaid_vendor_calls: calls } = config.settings.limits
    return new UnpaidUse(clock, { tokens, calls }, get(PARTS.sharedEvents))
  })
  add(PARTS.replicas, ({ store, clock, log }) => new LiveReplicas(store.leases, clock, log))
  add(PARTS.sharedRates, ({ redis, clock }, get) => {
    if (redis === null) return null
    return new RedisRateLimit({ link: redis, clock, local: new MemoryRateLimit(clock), replicas: () => get(PARTS.replicas).count })
  })
  add(PARTS.rates, ({ clock }, get) => get(PARTS.sharedRates) ?? new MemoryRateLimit(clock))
  add(PARTS.refusals, ({ store, clock, instance, log }) => new Refusals(store.history, clock, instance, log))
  add(PARTS.history, ({ store, clock }) => new History(store.history, clock))
  add(
    PARTS.retention,
    ({ store, clock, config, instance, log }) => new Retention(store, clock, { instance, days: config.settings.history.days, log }),
  )
  add(PARTS.accounts, ({ store, clock }, get) => {
    const probes = get(PARTS.vendorProbes)
    return new AccountService(store, clock, () => probes.runInBackground())
  })
  return parts
}

/** Slots of each class of heavy work, by default by processors. One of each is reserved for accounts without a slot. */
function slotsOf({ settings: { limits } }: Config) {
  const processors = cpus().length
  return {
    browser: limits.browser_slots ?? Math.max(2, processors * 2),
    code: limits.code_slots ?? Math.max(2, processors * 2),
    media: limits.media_slots ?? Math.max(2, processors + 1),
  }
}
