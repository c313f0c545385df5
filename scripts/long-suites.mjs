/**
 * Suites that take long and seldom find something: `npm run test:long` runs them whole, by the names below; `npm test` runs of each file the
 * tests whose full titles contain one of the phrases behind it. The rule of what belongs here is in CONTRIBUTING.md. `minutes` is about what a
 * suite takes on two cores.
 */
export const LONG_SUITES = {
  'suite-ledger': {
    minutes: 4,
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
      'test/store/outage.spec.ts': ['finds every call refused'],
      'test/store/property.spec.ts': ['sequences of up to 100 steps'],
      'test/capstan/move/move.spec.ts': ['everything that the port answers is the same', 'never merges'],
    },
  },
  'suite-outage': {
    minutes: 5,
    files: {
      'test/conformance/outage.spec.ts': ['500: failures that cost nothing', 'every shipped capability is in the table'],
      'test/outage/disk.spec.ts': ['of the ledger: named to callers'],
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
      'test/http/shipped/injection.spec.ts': ['in one page of each carrier', 'every order in every carrier', 'T-30 companies.find'],
    },
  },
  'suite-replicas': {
    minutes: 2,
    files: {
      'test/replicas/shipped.spec.ts': ['the table has all capabilities', 'replicas domains ', 'a file converted at one'],
      'test/replicas/sweeping.spec.ts': ['N-12 the hold of a dead replica', 'L7 L8 charges whose answers a dead replica'],
    },
  },
  'suite-pages': {
    minutes: 5,
    files: {
      'plugins/browser/egress.spec.ts': [
        'in chromium-headless-shell T-21 N-30',
        'in chromium-headless-shell T-18',
        'are open, so that the canaries',
      ],
      'plugins/browser/hostile.spec.ts': [
        'T-26 reads a page',
        'T-33 runs its renderers',
        '/frame-file never shows',
        'T-36 shows one call nothing',
      ],
      'plugins/browser/inside.spec.ts': ['T-18 an address that is one of them'],
      'plugins/browser/neighbours.spec.ts': ['kills the process it started and no other', 'a page like /fetch'],
      'plugins/browser/pictures/take.spec.ts': ['shows images of a whole page', 'makes png of the size', 'prints sheets of A4'],
      'plugins/browser/pictures/tidy.spec.ts': ['agrees to nothing', 'follows no link and sends no form'],
      'plugins/scrape/thorough.spec.ts': ['/article:', '/wall:', '/busy:', 'has one captcha of a page solved', 'behind a signed link'],
    },
  },
  'suite-files': {
    minutes: 9,
    files: {
      'plugins/convert/engines/hostile-office.spec.ts': ['files under a password are refused', 'T-52 leaves no file behind'],
      'plugins/convert/engines/hostile.spec.ts': ['archives that lead out', 'T-52 leaves no file behind'],
      'plugins/convert/kept.spec.ts': [
        'N6 a page becomes PDF',
        'F11 cells of CSV',
        'F6 all pages of a TIFF become pages',
        'F23 a table of a FictionBook',
      ],
      'plugins/office/office.spec.ts': [
        'office: formats',
        'document names: linked.docx',
        'T-51 runs no macro',
        'of four documents at once',
        'leaves no file',
      ],
      'plugins/picture/hostile.spec.ts': [
        'a cut JPEG is',
        'a PNG of 30,000 x 30,000 is',
        'T-49 an SVG loads nothing',
        'leaves no file behind',
      ],
      'plugins/reading/hostile.spec.ts': [
        'T-49 a template and pictures',
        'T-49 scripts and actions',
        'T-49 rows of 100,000',
        'T-60 leave no file',
      ],
      'test/http/hostile-documents.spec.ts': ['read no file, reach nothing'],
      'test/http/large-documents.spec.ts': ['a pasted text of three million characters'],
    },
  },
  'suite-programs': {
    minutes: 3,
    files: {
      'plugins/code/hostile.spec.ts': ['T-45 shell that takes no signal', 'T-44 T-46 sees no secrets'],
      'test/core/exec/ordinary-user.spec.ts': ['holds the same promises'],
      'test/core/exec/warm.spec.ts': [
        'the job finds the started one',
        'each job has a sandbox of its own',
        'refuses files that do not fit',
        'one that is killed in use',
        'limits hold: memory',
        'the stop ends what waits',
      ],
    },
  },
  'suite-messages': {
    minutes: 4,
    files: {
      'plugins/messages/killed.spec.ts': ['after callers have seen some answers'],
      'plugins/messages/lost-replies.spec.ts': ['every message reached exactly one vendor'],
    },
  },
  'suite-video': {
    minutes: 2,
    files: {
      'plugins/video/video.spec.ts': [
        'downloads DASH, whose picture',
        'passes a progressive file on',
        'has the first bytes in the store',
        'video.info: ',
        'at its field',
        'T-54 refuses a redirect inside',
        'T-54 refuses HLS that names files',
        'T-54 refuses HLS that leads inside',
        'T-54 refuses a file that breaks off',
      ],
    },
  },
  'suite-names': {
    minutes: 1,
    files: {
      'plugins/sites/hostile.spec.ts': ['names that stand for addresses inside', 'a redirect inside is not followed'],
      'plugins/sites/parts/dns/hostile-zones.spec.ts': ['a zone that has every name', 'T-23 a policy host inside'],
    },
  },
  'suite-commands': {
    minutes: 3,
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
    },
  },
}

/** By file, the phrases of the tests that `npm test` runs of it. */
export const SMOKE = Object.assign({}, ...Object.values(LONG_SUITES).map(({ files }) => files))
