import { MEDIA_SUITES } from './media-suites.mjs'

/**
 * Suites that take long and seldom find something: `npm run test:long` runs them whole, by the names below; `npm test` runs of each file the
 * tests whose full titles contain one of the phrases behind it. The rule of what belongs here is in CONTRIBUTING.md. `minutes` is about what a
 * suite takes on two cores.
 */
export const LONG_SUITES = {
  'suite-ledger': {
    minutes: 6,
    files: {
      'test/store/auditor-mongodb.spec.ts': ['finds nothing in a ledger that only the store wrote', 'reads while the store writes'],
      'test/store/crash-points.spec.ts': ['after charge:', 'answer finished:'],
      'test/store/kill.spec.ts': ['on SQLite, several processes F-09 N-04 kill -9'],
      'test/store/lost-replies.spec.ts': ['between a gateway and the thread of its embedded ledger'],
      'test/store/mongodb/history.spec.ts': ['each page at any offset is the same cut'],
      'test/store/mongodb/settling.spec.ts': [
        'has its charge given back',
        'keeps what it delivered',
        'N-12 two sweepers at the same moment',
      ],
      'test/store/conformance.spec.ts': [
        'on a thread of its own',
        'on the calling thread money of a call',
        'on the calling thread posted by reference',
        'on the calling thread sweep',
      ],
      'test/store/model.spec.ts': ['one request, two lost replies, two crashes', 'two requests for the money of one', 'the seeded bug'],
      'test/store/mongodb/conformance.spec.ts': ['storage port: MongoDB ', 'a single server money of a call', 'a single server sweep'],
      'test/store/mongodb/publishing.spec.ts': [
        'L4 L10 two gateways',
        'in their own days',
        '64 unpublished entries',
        'F-08 an account whose entries',
        'published or not, and no call twice',
        'never lost in silence',
      ],
      // A third as many journals.
      'test/store/trimming.spec.ts': ['retention'],
      'test/store/outage.spec.ts': ['finds every call refused'],
      'test/store/property.spec.ts': ['sequences of up to 100 steps'],
      'test/capstan/move/move.spec.ts': ['everything that the port answers is the same', 'never merges'],
    },
  },
  'suite-outage': {
    minutes: 6,
    files: {
      'test/conformance/outage.spec.ts': ['500: failures that cost nothing', 'the capabilities of the table are loaded'],
      'test/core/redis/connection.spec.ts': [
        'by its text once, then by its digest',
        'every command is one round trip',
        'F-12 Redis that goes away',
        'F-13 a server that accepts',
        'F-13 a reply that came',
        'what is not the reply of a script',
        'that are right work',
        'that are refused stop the start',
        'are not repeated',
        'that are changed while it runs',
      ],
      'test/core/redis/gateway.spec.ts': [
        'waits for one command of Redis',
        'what is left over all gateways',
        'and their places given back',
      ],
      // The primary goes once.
      'test/outage/failover.spec.ts': ['F-'],
      'test/outage/disk.spec.ts': ['of files: uploads are refused'],
      'test/outage/messages.spec.ts': ['T-67 places that are only out of reach', 'T-67 a database that is only out of reach'],
      'test/outage/operator.spec.ts': ['B8 W15 SIGHUP reads plugins again'],
      'test/outage/process.spec.ts': [
        'what it keeps for a while lies in one folder',
        'F-30 a stop lets an answer that is being read slowly',
      ],
      'test/outage/reload-memory.spec.ts': ['and nothing open'],
      'test/outage/start.spec.ts': ['F-01 waits behind open ports', 'when ledger.sweep fails'],
      'test/outage/store.spec.ts': ['F-02 N-19 killed'],
      'test/http/bytes/unread.spec.ts': ['A2 count for their account', 'of a reader that keeps up', 'A5 whose reader leaves'],
    },
  },
  'suite-injection': {
    minutes: 7,
    files: {
      'test/http/shipped/injection.spec.ts': [
        'mode ai, in one page',
        'extract, in one page',
        'playground, in one page',
        'every order in every carrier',
        'T-30 companies.find',
      ],
    },
  },
  'suite-replicas': {
    minutes: 4,
    files: {
      'test/replicas/shipped.spec.ts': ['the capabilities of the table are loaded', 'replicas domains ', 'a file converted at one'],
      'test/replicas/reload.spec.ts': ['a reload requested from one', 'an order of a waterfall put by one'],
      'test/replicas/revocation.spec.ts': [
        'no call that begins after the 200',
        'rotation without overlap',
        'a disabled account is refused',
      ],
      'test/replicas/versions.spec.ts': [
        'an account with fields of a later version',
        'one of this version starts on such a database',
        'into Redis in another form',
      ],
      'test/replicas/sweeping.spec.ts': ['N-12 the hold of a dead replica', 'L7 L8 charges whose answers a dead replica'],
    },
  },
  'suite-programs': {
    minutes: 6,
    files: {
      'plugins/_shared/engine-life.spec.ts': [
        'a pack that is missing, cut short',
        'a pack that is removed while its process runs',
        'runs no process before the first question',
        'in Node has a network',
      ],
      'plugins/_shared/engine.spec.ts': [
        'a process answers with its model',
        'a refusal reaches the caller',
        'a caller who leaves ends the process',
        'questions wait for each other',
        'a module in Python',
      ],
      'plugins/code/bubblewrap.spec.ts': [
        'runs Python, JavaScript and shell',
        'runs require beside top-level await',
        'runs a module alone',
        'the last expression gives a value',
        'the last expression gives nothing where the program printed',
        'T-47 gives back files',
        'T-45 answers 124',
        'T-45 F-32 answers 137',
        'T-44 T-46 has no network',
        'T-46 installs wheels',
        'refuses input files',
      ],
      'plugins/code/quickjs.spec.ts': [
        'the first line a new user tries',
        'takes JavaScript without files',
        'keeps standard output',
        'an error nobody caught',
        'runs timers and promises',
        'T-45 F-32 answers 137',
        'T-44 finds no way',
        'keeps nothing between runs',
      ],
      'plugins/code/hostile.spec.ts': ['T-45 shell that takes no signal', 'T-44 T-46 sees no secrets'],
      'test/core/exec/bombs.spec.ts': [
        'holds a fork bomb',
        'stops endless computing',
        'stops an output flood',
        'kills all it can reach',
        'no control group and no user behind',
      ],
      'test/core/exec/launcher.spec.ts': ['passes arguments and descriptors', 'no way out but the guard proxy'],
      'test/core/exec/ordinary-user.spec.ts': ['holds the same promises'],
      'test/core/exec/warm.spec.ts': [
        'the job finds the started one',
        'each job has a sandbox of its own',
        'one that is killed in use',
        'the stop ends what waits',
      ],
    },
  },
  'suite-messages': {
    minutes: 4,
    files: {
      'plugins/messages/limits/limits.spec.ts': [
        'T-41',
        'an account has its own count',
        'what every vendor clearly refused',
        'both together send',
      ],
      'plugins/messages/killed.spec.ts': ['after callers have seen some answers'],
      'plugins/messages/lost-replies.spec.ts': ['every message reached exactly one vendor'],
    },
  },
  'suite-shipped': {
    minutes: 5,
    files: {
      // Fewer calls.
      'test/http/shipped/generated.spec.ts': ['end as described', 'every way inside', 'nothing of them reached'],
      'test/http/shipped/world.spec.ts': [
        'without any vendor account those of the table',
        'without any vendor account search',
        'without any vendor account files.convert',
        'without any vendor account invoices.parse',
        'without any vendor account domains',
        'without any vendor account emails.',
        'without any vendor account messages.send',
        'by one vendor or server each',
      ],
    },
  },
  'suite-names': {
    minutes: 4,
    files: {
      'plugins/emails/find/hostile.spec.ts': [
        'is 422 at domain',
        'T-23 mail servers and sites',
        'T-39 people at one mail server',
        'T-37 nobody',
      ],
      'plugins/emails/verify/hostile.spec.ts': [
        'are 422 at email',
        'what is no address is an answer',
        'T-23 MX records that point inside',
        'a closed port',
        'TLS that fails',
        'T-37 no address',
      ],
      'plugins/registration/rdap.spec.ts': [
        'a record is read',
        'a 404 of an RDAP server',
        'is no answer, and WHOIS is asked',
        'not followed: inside',
        'not followed: meta',
        'of the registrar is read once',
        'WHOIS was asked by the bare name',
        'without an entry leaves WHOIS',
        'in its place, for every TLD',
      ],
      'plugins/registration/whois.spec.ts': [
        'IANA names the server',
        'in the form they want',
        'referrals end',
        'is not connected to',
        'a record with neither dates',
        'a reserved name',
        'and nobody is asked',
        'is asked first',
      ],
      'plugins/sites/hostile.spec.ts': ['names that stand for addresses inside', 'a redirect inside is not followed'],
      'plugins/sites/parts/dns/hostile-zones.spec.ts': ['a zone that has every name', 'T-23 a policy host inside'],
    },
  },
  'suite-commands': {
    minutes: 6,
    files: {
      'test/capstan/cli/beside-broken-plugins.spec.ts': [
        'capstan accounts create',
        'capstan ledger check loads none',
        'capstan providers list',
        'capstan provider new',
      ],
      'test/capstan/cli/broken-plugins.spec.ts': ['a gateway starts with all of them'],
      'test/capstan/scaffold/scaffold.spec.ts': [
        'is formatted with 6 fields',
        'compiles strictly and passes',
        'in a plugin of JavaScript that loads',
      ],
      // Of each table every fourth mistake is made; the tests about the tables are all there.
      'test/mistakes/commands/commands.spec.ts': ['mistakes with the commands'],
      'test/mistakes/settings/settings.spec.ts': ['mistakes with the settings'],
      'test/scripts/packs.spec.ts': [
        'takes single files out of wheels',
        'refuses a file or an archive with another hash',
        'a pack cut short is not there',
        'without a name makes the tools',
        'names what is wrong with a manifest',
        'the manifests of packs',
      ],
      'test/scripts/start.spec.ts': [
        'installs, builds and serves on the first start',
        'T-66 runs no script',
        'does neither on the second start',
        'never installs through a link',
        'a build that fails ends with 1',
        'says in one sentence which Node',
      ],
      'test/scripts/test-lanes.spec.ts': [
        'counts what passed, failed and was skipped',
        'its servers are ended',
        'with --beside, what measures',
        'whoever started it is gone',
        'begin first',
        'every file that runs alone or first',
        'two processes a processor',
        'every file of a long suite',
        'the quick tests are those',
      ],
    },
  },
  'suite-clients': {
    minutes: 2,
    // On the oldest and on the newest other Python of the machine.
    files: { 'test/clients/python.spec.ts': ['passes its own suite'] },
  },
  ...MEDIA_SUITES,
}

/** By file, the phrases of the tests that `npm test` runs of it. */
export const SMOKE = Object.assign({}, ...Object.values(LONG_SUITES).map(({ files }) => files))
