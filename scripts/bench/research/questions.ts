/** A question that the documentation of Debian answers. */
export interface Question {
  readonly question: string
  /** What the answer must hold: one of these, in the text with its white space as single blanks. */
  readonly answers: readonly RegExp[]
}

/** Written before any figure was taken, from what Debian's documentation says; each answer is on some page of the corpus (`main.ts` checks it). */
export const QUESTIONS: readonly Question[] = [
  { question: 'Which file lists the package sources that APT uses?', answers: [/\/etc\/apt\/sources\.list/] },
  { question: 'Which command asks the configuration questions of an installed Debian package again?', answers: [/dpkg-reconfigure/] },
  { question: 'What is the code name of the Debian unstable distribution?', answers: [/\bsid\b/i] },
  { question: 'From which film do the code names of Debian releases come?', answers: [/Toy Story/i] },
  {
    question: 'Which file of a Debian package must hold its copyright information?',
    answers: [/debian\/copyright/, /\/usr\/share\/doc\/\S{1,20}\/copyright/],
  },
  { question: 'How long may the short description of a Debian package be?', answers: [/80 characters/i, /60 characters/i, /80 columns/i] },
  { question: 'Which tool checks Debian packages for common errors and violations of policy?', answers: [/\blintian\b/i] },
  { question: 'Which tool builds Debian packages in a clean chroot?', answers: [/\bpbuilder\b/i, /\bsbuild\b/i] },
  { question: 'Which pseudo-package is used to report that a package needs work or is orphaned?', answers: [/\bwnpp\b/i] },
  {
    question: 'How much memory does the Debian installer recommend for a system with a desktop?',
    answers: [/[12] ?(?:gigabytes?|GB|GiB)\b/i],
  },
  { question: 'How can an installation of Debian be automated without questions?', answers: [/preseed/i] },
  { question: 'Which command finds the package that a file belongs to?', answers: [/dpkg (?:-S|--search)/, /apt-file/] },
  { question: 'Which areas does the Debian archive consist of?', answers: [/main, contrib,? (?:and )?non-free/i, /contrib and non-free/i] },
  {
    question: 'Which user ids does Debian policy set aside for dynamically allocated user accounts?',
    answers: [/1000\s?[-–]\s?59999/, /1000 to 59999/],
  },
  { question: 'Which file sets the host name of a Debian system?', answers: [/\/etc\/hostname/] },
  { question: 'Which file describes the file systems that are mounted when the system starts?', answers: [/\/etc\/fstab/] },
  { question: 'Who founded the Debian project?', answers: [/Ian Murdock/i] },
  { question: 'Which program rotates log files on Debian?', answers: [/\blogrotate\b/i] },
  {
    question: 'Which mail address takes commands that change reports in the Debian bug tracking system?',
    answers: [/control@bugs\.debian\.org/],
  },
  { question: 'Which command chooses the default among several programs such as editors?', answers: [/update-alternatives/] },
]

/** A second set, written before its first use, and never used to improve ranking, quoting or confidence. */
export const UNSEEN: readonly Question[] = [
  { question: 'Where does APT keep the package files that it downloads?', answers: [/\/var\/cache\/apt\/archives/] },
  { question: 'Which file of a Debian source package is the makefile that builds the package?', answers: [/debian\/rules/] },
  { question: 'Which command removes a package together with its configuration files?', answers: [/\bpurge\b/i, /--purge/] },
  { question: 'Which file holds the preferences for pinning versions of packages with APT?', answers: [/\/etc\/apt\/preferences/] },
  { question: 'Which shell is the default for shell scripts that begin with /bin/sh on Debian?', answers: [/\bdash\b/i] },
  { question: 'Which mail transfer agent is the default of Debian?', answers: [/\bexim4?\b/i] },
  {
    question: 'Which guidelines decide whether the license of software is free enough for Debian?',
    answers: [/DFSG|Free Software Guidelines/i],
  },
  {
    question: 'Which control field names packages that have to be configured before the package is even unpacked?',
    answers: [/Pre-Depends/],
  },
  { question: 'Which command shows the packages that depend on a given package?', answers: [/rdepends/] },
  { question: 'Which tool keeps the history of configuration files in /etc with a version control system?', answers: [/\betckeeper\b/i] },
  { question: 'Which file grants users the right to run commands as root with sudo?', answers: [/\/etc\/sudoers/] },
  { question: 'How does aptitude explain the reason for which a package is installed?', answers: [/aptitude why/] },
  { question: 'Which environment variable selects the interface that debconf uses for its questions?', answers: [/DEBIAN_FRONTEND/] },
  { question: 'Which file configures the network interfaces that ifup brings up?', answers: [/\/etc\/network\/interfaces/] },
  { question: 'Which file records the changes of each version of a Debian source package?', answers: [/debian\/changelog/] },
  {
    question: 'Where does dpkg store the list of installed packages and their status?',
    answers: [/\/var\/lib\/dpkg\/status/, /\/var\/lib\/dpkg\b/],
  },
  { question: 'Which priority do packages have without which the system does not function at all?', answers: [/\brequired\b/] },
  { question: 'Which team may decide technical disputes between developers of Debian?', answers: [/Technical Committee/i] },
  {
    question: 'Which command verifies the checksums of the files that a package has installed?',
    answers: [/\bdebsums\b/, /dpkg (?:-V|--verify)/],
  },
  { question: 'Which branch of Debian becomes the next stable release?', answers: [/\btesting\b/i] },
]
