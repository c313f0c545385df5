"""Made by `generate` from the OpenAPI document of a gateway: change that, not this."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from typing_extensions import Literal, NotRequired, TypedDict, Unpack

from ._files import FileInput
from ._results import AsyncCallOptions, CallOptions, RequestOptions, Result


class Known(NamedTuple):
    """Where a capability is called, and the most seconds that a call takes; None where that is not said."""

    path: str
    deadline: Optional[float]


#: The capabilities that have a method in this version.
CAPABILITIES: Mapping[str, Known] = {
    "audio.transcribe": Known("/v1/audio/transcribe", 300.0),
    "code.execute": Known("/v1/code/execute", 390.0),
    "companies.find": Known("/v1/companies/find", 45.0),
    "documents.extract": Known("/v1/documents/extract", 120.0),
    "domains": Known("/v1/domains", 30.0),
    "emails.find": Known("/v1/emails/find", 60.0),
    "emails.verify": Known("/v1/emails/verify", 30.0),
    "files.convert": Known("/v1/files/convert", 120.0),
    "images.generate": Known("/v1/images/generate", 120.0),
    "images.remove_background": Known("/v1/images/remove-background", 60.0),
    "invoices.parse": Known("/v1/invoices/parse", 90.0),
    "messages.send": Known("/v1/messages/send", 30.0),
    "profiles.find": Known("/v1/profiles/find", 30.0),
    "research": Known("/v1/research", 504.0),
    "scrape": Known("/v1/scrape", 195.0),
    "screenshots.capture": Known("/v1/screenshots/capture", 45.0),
    "search": Known("/v1/search", 30.0),
    "sites.intel": Known("/v1/sites/intel", 30.0),
    "sounds.generate": Known("/v1/sounds/generate", 120.0),
    "speech.synthesize": Known("/v1/speech/synthesize", 60.0),
    "speech.transcribe": Known("/v1/speech/transcribe", 300.0),
    "subtitles.generate": Known("/v1/subtitles/generate", 300.0),
    "video.download": Known("/v1/video/download", 300.0),
    "video.info": Known("/v1/video/info", 60.0),
}


class AudioTranscribeUtterance(TypedDict):
    speaker: int
    text: str
    start: float
    end: float
    confidence: Optional[float]


class AudioTranscribeData(TypedDict):
    transcript: str
    confidence: Optional[float]
    language: Optional[str]
    duration_seconds: float
    word_count: int
    speaker_count: int
    utterances: List[AudioTranscribeUtterance]


class CodeExecuteOutputFile(TypedDict):
    name: str
    size_bytes: int
    content_type: str
    url: str
    expires_at: str
    content_base64: Optional[str]


class CodeExecuteData(TypedDict):
    stdout: str
    stderr: str
    exit_code: int
    execution_time_ms: int
    output_files: List[CodeExecuteOutputFile]
    sandbox_boot_ms: int
    template_used: Literal["default", "data-science", "web-dev", "video"]


class CodeExecuteInputFile(TypedDict):
    name: str
    content: NotRequired[Optional[str]]
    encoding: NotRequired[Literal["utf-8", "base64"]]
    url: NotRequired[Optional[str]]


class CompaniesFindData(TypedDict):
    company_name: Optional[str]
    domain: str
    description: Optional[str]
    industry: Optional[str]
    company_size: Optional[str]
    headquarters: Optional[str]
    website: Optional[str]
    founded_year: Optional[int]
    employees: Optional[int]
    annual_revenue: Optional[float]
    annual_revenue_printed: Optional[str]
    total_funding: Optional[float]
    total_funding_printed: Optional[str]
    latest_funding_stage: Optional[str]
    publicly_traded_symbol: Optional[str]
    publicly_traded_exchange: Optional[str]
    twitter_handle: Optional[str]
    linkedin_handle: Optional[str]
    instagram_handle: Optional[str]
    social_links: Dict[str, Any]
    technology_names: List[str]
    primary_brand_color: Optional[str]
    secondary_brand_color: Optional[str]
    logo_url: Optional[str]
    icon_url: Optional[str]
    company_kind: Optional[str]
    is_claimed: Optional[bool]
    value_proposition: Optional[str]
    ideal_customers: Optional[str]


class DocumentsExtractData(TypedDict):
    extracted: Dict[str, Any]
    source_url: Optional[str]
    content_length: int
    truncated: bool


class DomainsNamePrice(TypedDict):
    registration: Optional[float]
    renewal: Optional[float]
    currency: str
    source: str
    date: str


class DomainsName(TypedDict):
    domain: str
    name: str
    tld: str
    status: Literal["registered", "available", "premium", "early-access", "unknown"]
    available: Optional[bool]
    verified: Optional[bool]
    premium: Optional[bool]
    early_access: Optional[bool]
    price: DomainsNamePrice
    category: Optional[str]


class DomainsDomainPrice(TypedDict):
    registration: Optional[float]
    renewal: Optional[float]
    currency: str
    source: str
    date: str


class DomainsDomain(TypedDict):
    domain: str
    name: str
    tld: str
    status: Literal["registered", "available", "premium", "early-access", "unknown"]
    available: Optional[bool]
    verified: Optional[bool]
    premium: Optional[bool]
    early_access: Optional[bool]
    price: DomainsDomainPrice
    category: Optional[str]


class DomainsExtension(TypedDict):
    tld: str
    reason: str
    price: Optional[str]


class DomainsExtensionPrice(TypedDict):
    registration: Optional[float]
    renewal: Optional[float]
    currency: str
    source: str
    date: str


class DomainsExtension2(TypedDict):
    tld: str
    price: DomainsExtensionPrice
    prices: List[DomainsExtensionPrice]


class DomainsExtension3(TypedDict):
    tld: str
    length: int
    popularity: int
    theme: str


class DomainsData(TypedDict):
    names: List[DomainsName]
    domains: List[DomainsDomain]
    extensions: List[Union[DomainsExtension, DomainsExtension2, DomainsExtension3]]
    total: int
    offset: int
    limit: int


class EmailsFindData(TypedDict):
    email: str
    email_type: Literal["professional", "webmail", "role"]
    confidence: float
    verification_status: Literal["valid", "invalid", "catch-all", "unknown", "spamtrap", "abuse", "do_not_mail"]
    first_name: str
    last_name: str
    domain: str


class EmailsVerifyData(TypedDict):
    email: str
    status: Literal["valid", "invalid", "catch-all", "unknown", "spamtrap", "abuse", "do_not_mail"]
    sub_status: Optional[str]
    is_free_email: Optional[bool]
    did_you_mean: Optional[str]
    domain_age_days: Optional[str]
    smtp_provider: Optional[str]
    mx_found: Optional[Literal["true", "false"]]
    mx_record: Optional[str]


class FilesConvertData(TypedDict):
    file_name: str
    file_size: int
    file_url: str
    conversion_cost: float
    source_format: str
    target_format: str


class ImagesGenerateData(TypedDict):
    b64_json: str
    content_type: str
    prompt: str
    aspect_ratio: Literal["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]
    image_size: Literal["512px", "1K", "2K", "4K"]


class ImagesRemoveBackgroundData(TypedDict):
    image_base64: str
    format: Literal["png", "webp"]
    content_type: str


class InvoicesParseLineItem(TypedDict):
    description: Optional[str]
    quantity: Optional[float]
    unit_price: Optional[float]
    total_amount: Optional[float]
    tax_rate: Optional[float]


class InvoicesParseData(TypedDict):
    invoice_number: Optional[str]
    date: Optional[str]
    due_date: Optional[str]
    supplier_name: Optional[str]
    supplier_address: Optional[str]
    customer_name: Optional[str]
    currency: Optional[str]
    subtotal: Optional[float]
    total_tax: Optional[float]
    total_amount: Optional[float]
    line_items: List[InvoicesParseLineItem]


MessagesSendData = TypedDict(
    "MessagesSendData",
    {
        "message_id": str,
        "channel": Literal["sms", "whatsapp"],
        "to": str,
        "from": Optional[str],
        "status": str,
    },
)


class ProfilesFindExperience(TypedDict):
    company: Optional[str]
    title: Optional[str]
    start_date: Optional[str]
    end_date: Optional[str]


class ProfilesFindEducation(TypedDict):
    school: Optional[str]
    degree: Optional[str]
    field_of_study: Optional[str]
    start_date: Optional[str]
    end_date: Optional[str]


class ProfilesFindData(TypedDict):
    first_name: Optional[str]
    last_name: Optional[str]
    full_name: Optional[str]
    headline: Optional[str]
    company: Optional[str]
    title: Optional[str]
    location: Optional[str]
    summary: Optional[str]
    experience: List[ProfilesFindExperience]
    education: List[ProfilesFindEducation]
    skills: List[str]
    profile_image_url: Optional[str]
    linkedin_url: Optional[str]


class ResearchReportSection(TypedDict):
    heading: str
    content: str


class ResearchReport(TypedDict):
    title: str
    summary: str
    sections: List[ResearchReportSection]
    key_findings: List[str]
    confidence: float


class ResearchSource(TypedDict):
    id: int
    url: str
    title: str
    domain: str
    snippet: Optional[str]
    source_type: Literal["web", "news", "academic"]


class ResearchEntitiesPeople(TypedDict):
    name: str
    role: Optional[str]
    company: Optional[str]


class ResearchEntitiesCompany(TypedDict):
    name: str
    domain: Optional[str]
    industry: Optional[str]
    employee_count: Optional[int]


class ResearchEntities(TypedDict):
    people: List[ResearchEntitiesPeople]
    companies: List[ResearchEntitiesCompany]


class ResearchAnalysisChart(TypedDict):
    title: str
    url: str
    content_type: str
    expires_at: str
    data_url: Optional[str]


class ResearchAnalysis(TypedDict):
    summary: str
    charts: List[ResearchAnalysisChart]


class ResearchMetadata(TypedDict):
    depth_used: Literal["standard", "deep", "comprehensive"]
    sources_searched: int
    sources_scraped: int
    sources_cited: int
    entities_enriched: int
    refinement_rounds: int
    budget_exhausted: bool
    total_time_ms: float
    steps_completed: List[Literal["query_expansion", "web_search", "content_extraction", "entity_detection", "entity_enrichment", "synthesis"]]


class ResearchData(TypedDict):
    report: ResearchReport
    sources: List[ResearchSource]
    entities: ResearchEntities
    analysis: ResearchAnalysis
    structured_output: Optional[Dict[str, Any]]
    metadata: ResearchMetadata


class ScrapeData(TypedDict):
    content: str
    title: Optional[str]
    description: Optional[str]
    links: List[str]
    screenshot_url: Optional[str]


class ScreenshotsCaptureData(TypedDict):
    image_base64: str
    format: Literal["png", "jpeg", "webp", "pdf"]
    width: Optional[int]
    height: Optional[int]
    full_page: bool
    size_bytes: int


class SearchCitation(TypedDict):
    index: int
    title: str
    url: str
    snippet: Optional[str]


class SearchOrganicResult(TypedDict):
    url: str
    title: str
    snippet: Optional[str]
    position: int


class SearchKnowledgeGraph(TypedDict):
    title: str
    type: Optional[str]
    description: Optional[str]
    url: Optional[str]
    image_url: Optional[str]
    attributes: Dict[str, Any]


class SearchFeaturedSnippet(TypedDict):
    title: Optional[str]
    text: str
    url: Optional[str]


class SearchData(TypedDict):
    answer: Optional[str]
    citations: List[SearchCitation]
    organic_results: List[SearchOrganicResult]
    knowledge_graph: SearchKnowledgeGraph
    featured_snippet: SearchFeaturedSnippet


class SitesIntelWhois(TypedDict):
    created: Optional[str]
    expires: Optional[str]
    updated: Optional[str]
    registrar: Optional[str]
    nameservers: List[str]
    status: List[str]
    dnssec: Optional[bool]
    source: Optional[str]


class SitesIntelDnsMxRecord(TypedDict):
    priority: int
    host: str


class SitesIntelDnsDkimSelector(TypedDict):
    selector: str
    preview: str


class SitesIntelDns(TypedDict):
    provider: Optional[str]
    a_records: List[str]
    mx_records: List[SitesIntelDnsMxRecord]
    email_provider: Optional[str]
    has_spf: Optional[bool]
    spf_record: Optional[str]
    has_dmarc: Optional[bool]
    dmarc_policy: Optional[str]
    dkim_found: Optional[bool]
    dkim_selectors: List[SitesIntelDnsDkimSelector]


class SitesIntelSsl(TypedDict):
    issuer: Optional[str]
    valid_to: Optional[str]
    days_until_expiry: Optional[int]
    protocol: Optional[str]
    cipher_suite: Optional[str]


class SitesIntelHosting(TypedDict):
    provider: Optional[str]
    confidence: Optional[Literal["high", "medium", "low"]]
    ip: Optional[str]
    asn: Optional[str]
    asn_org: Optional[str]
    country: Optional[str]
    city: Optional[str]


class SitesIntelSpfInclude(TypedDict):
    domain: str
    depth: int
    record: Optional[str]


class SitesIntelSpf(TypedDict):
    record: str
    valid: bool
    all: Optional[str]
    lookups: int
    void_lookups: int
    mechanisms: List[str]
    includes: List[SitesIntelSpfInclude]
    problems: List[str]


class SitesIntelDmarc(TypedDict):
    record: str
    domain: str
    policy: Optional[str]
    subdomain_policy: Optional[str]
    percent: int
    dkim_alignment: Literal["relaxed", "strict"]
    spf_alignment: Literal["relaxed", "strict"]
    aggregate_reports: List[str]
    failure_reports: List[str]
    problems: List[str]


class SitesIntelDkim(TypedDict):
    selector: str
    record: str
    key_type: Optional[str]
    key_bits: Optional[int]
    testing: bool
    revoked: bool
    alias: Optional[str]
    problems: List[str]


class SitesIntelDnssec(TypedDict):
    signed: bool
    delegated: bool
    authenticated: bool
    matches: Optional[bool]
    bogus: bool
    algorithms: List[str]
    problems: List[str]


class SitesIntelCaa(TypedDict):
    flags: int
    tag: str
    value: str


class SitesIntelMtaSts(TypedDict):
    id: Optional[str]
    mode: Optional[str]
    mx: List[str]
    max_age: Optional[int]
    problems: List[str]


class SitesIntelTlsRpt(TypedDict):
    record: str
    reports: List[str]
    problems: List[str]


class SitesIntelBimi(TypedDict):
    record: str
    logo_url: Optional[str]
    certificate_url: Optional[str]
    problems: List[str]


class SitesIntelTechnology(TypedDict):
    name: str
    category: str
    version: Optional[str]
    confidence: Literal["high", "medium", "low"]
    evidence: List[str]


SitesIntelTlsVersions = TypedDict(
    "SitesIntelTlsVersions",
    {
        "TLSv1": Literal["accepted", "refused", "unknown"],
        "TLSv1.1": Literal["accepted", "refused", "unknown"],
        "TLSv1.2": Literal["accepted", "refused", "unknown"],
        "TLSv1.3": Literal["accepted", "refused", "unknown"],
    },
)


class SitesIntelTlsChain(TypedDict):
    subject: Optional[str]
    issuer: Optional[str]
    valid_from: str
    valid_to: str
    key_type: Optional[str]
    key_bits: Optional[int]
    fingerprint: str


class SitesIntelTls(TypedDict):
    trusted: bool
    trust_error: Optional[str]
    versions: SitesIntelTlsVersions
    alpn: Optional[str]
    ocsp_stapled: Optional[bool]
    names: List[str]
    chain: List[SitesIntelTlsChain]


class SitesIntelCheck(TypedDict):
    id: str
    passed: bool
    weight: float
    detail: str


class SitesIntelAreasTls(TypedDict):
    grade: Literal["A", "B", "C", "D", "E", "F"]
    score: int


class SitesIntelAreasEmail(TypedDict):
    grade: Literal["A", "B", "C", "D", "E", "F"]
    score: int


class SitesIntelAreasHeaders(TypedDict):
    grade: Literal["A", "B", "C", "D", "E", "F"]
    score: int


class SitesIntelAreas(TypedDict):
    tls: SitesIntelAreasTls
    email: SitesIntelAreasEmail
    headers: SitesIntelAreasHeaders


class SitesIntelSubdomain(TypedDict):
    subdomain: str
    ips: List[str]
    cname: Optional[str]
    dangling: bool


class SitesIntelData(TypedDict):
    domain: str
    whois: SitesIntelWhois
    dns: SitesIntelDns
    ssl: SitesIntelSsl
    hosting: SitesIntelHosting
    records: Optional[Dict[str, Any]]
    spf: SitesIntelSpf
    dmarc: SitesIntelDmarc
    dkim: Optional[List[SitesIntelDkim]]
    dnssec: SitesIntelDnssec
    caa: Optional[List[SitesIntelCaa]]
    mta_sts: SitesIntelMtaSts
    tls_rpt: SitesIntelTlsRpt
    bimi: SitesIntelBimi
    technologies: Optional[List[SitesIntelTechnology]]
    tls: SitesIntelTls
    grade: Optional[Literal["A", "B", "C", "D", "E", "F"]]
    score: Optional[int]
    checks: Optional[List[SitesIntelCheck]]
    areas: SitesIntelAreas
    graded_url: Optional[str]
    subdomains: Optional[List[SitesIntelSubdomain]]
    total: Optional[int]
    wildcard: Optional[bool]


class SoundsGenerateData(TypedDict):
    audio_base64: str
    format: Literal["mp3", "pcm", "wav", "ogg"]
    sample_rate: int
    duration_seconds: float
    prompt: str


class SpeechSynthesizeData(TypedDict):
    audio_base64: str
    format: Literal["mp3", "wav"]
    sample_rate: int
    text: str
    voice_model: str


class SpeechTranscribeWord(TypedDict):
    word: str
    start: float
    end: float
    confidence: Optional[float]
    punctuated_word: str


class SpeechTranscribeData(TypedDict):
    transcript: str
    confidence: Optional[float]
    language: Optional[str]
    words: List[SpeechTranscribeWord]
    duration_seconds: float


class SubtitlesGenerateData(TypedDict):
    subtitle_content: str
    format: Literal["srt", "vtt"]
    language: Optional[str]
    duration_seconds: float
    utterance_count: int


class VideoDownloadData(TypedDict):
    download_url: str
    expires_at: str
    filename: str
    filesize_mb: float
    duration_seconds: Optional[float]
    quality: Optional[str]
    format: Literal["mp4", "mp3", "m4a"]
    title: Optional[str]
    thumbnail_url: Optional[str]


class VideoInfoFormat(TypedDict):
    quality: Optional[str]
    format_id: str
    ext: Optional[str]
    filesize_mb: Optional[float]


class VideoInfoData(TypedDict):
    title: Optional[str]
    duration_seconds: Optional[float]
    thumbnail_url: Optional[str]
    uploader: Optional[str]
    upload_date: Optional[str]
    view_count: Optional[int]
    platform: Optional[str]
    formats: List[VideoInfoFormat]


class Account(TypedDict):
    id: str
    name: str
    balance: float
    held: float
    available: float
    overage_limit: float


class ApiKey(TypedDict):
    id: str
    name: str
    key_prefix: str
    rate_limit_per_minute: int
    created_at: str
    expires_at: Optional[str]
    scopes: Optional[List[str]]
    credit_limit: Optional[float]
    credit_limit_per_day: Optional[float]
    allowed_ips: Optional[List[str]]
    last_used_at: Optional[str]
    credits_used: float


class KeyList(TypedDict):
    total: int
    keys: List[ApiKey]


class CreatedKey(TypedDict):
    id: str
    name: str
    key_prefix: str
    rate_limit_per_minute: int
    created_at: str
    expires_at: Optional[str]
    scopes: Optional[List[str]]
    credit_limit: Optional[float]
    credit_limit_per_day: Optional[float]
    allowed_ips: Optional[List[str]]
    key: str


class DeletedKey(TypedDict):
    success: bool
    message: str


class CallRecord(TypedDict):
    id: str
    endpoint: str
    capability: str
    product: str
    mode: Optional[str]
    status: int
    success: bool
    credits_used: float
    provider_used: Optional[str]
    providers_tried: List[str]
    response_time_ms: float
    error_type: Optional[str]
    key_id: str
    request_id: str
    created_at: str
    via: Optional[str]
    aborted: bool


class CallList(TypedDict):
    calls: List[CallRecord]
    total: int
    limit: int
    offset: int


class CallStatsTotals(TypedDict):
    calls: int
    credits: float
    errors: int
    successes: int


class CallStatsByDay(TypedDict):
    date: str
    calls: int
    credits: float
    errors: int


class CallStatsByEndpoint(TypedDict):
    endpoint: str
    capability: str
    calls: int
    credits: float
    errors: int


class CallStats(TypedDict):
    days: int
    totals: CallStatsTotals
    by_day: List[CallStatsByDay]
    by_endpoint: List[CallStatsByEndpoint]


class EstimateBreakdown(TypedDict):
    item: str
    credits: float


class Estimate(TypedDict):
    capability: str
    credits: float
    breakdown: List[EstimateBreakdown]
    details: NotRequired[Dict[str, Any]]


class PlaygroundAnswer(TypedDict):
    capability: Optional[str]
    params: Dict[str, Any]
    alternatives: List[str]
    reply: str
    endpoint: Optional[str]
    method: Optional[str]
    curl: Optional[str]
    missing: List[str]
    credits: Optional[float]


class UploadedFile(TypedDict):
    file_url: str
    file_name: str
    file_size: int
    content_type: str
    expires_at: str


class NewKey(RequestOptions, total=False):
    name: str
    rate_limit_per_minute: int
    expires_in_days: Optional[float]
    scopes: Optional[Sequence[str]]
    credit_limit: Optional[float]
    credit_limit_per_day: Optional[float]
    allowed_ips: Optional[Sequence[str]]


class CallsQuery(RequestOptions, total=False):
    endpoint: str
    days: int
    limit: int
    offset: int
    product: str


class SyncAudio:
    """`client.audio`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def transcribe(
        self,
        *,
        audio_url: FileInput,
        language: Optional[str] = None,
        speaker_labels: Optional[bool] = None,
        **options: Unpack[CallOptions],
    ) -> Result[AudioTranscribeData]:
        """Transcribe a conversation.

        Writes down what is said in a recording, audio or video, and by whom: utterances with speaker, text, times in
        seconds and confidence. Speakers are numbers from 0 in the order in which they speak first. With speaker_labels
        false everything is speaker 0. Silence, noise and music without words are no-result, which is free. A recording
        has at most 4 hours. Use speech.transcribe for the times of single words. Costs 3 credits per successful call.

        audio_url: Address of the recording, http or https: audio or video of any usual format, at most 4 hours.
        language: Language that is spoken, such as en, en_us or pt-BR; auto to find out.
        speaker_labels: Tell speakers apart.
        """
        return self._client._call(
            "audio.transcribe",
            {
                "audio_url": audio_url,
                "language": language,
                "speaker_labels": speaker_labels,
            },
            **options,
        )


class SyncCode:
    """`client.code`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def execute(
        self,
        *,
        code: str,
        language: Optional[Literal["python", "javascript", "shell"]] = None,
        timeout: Optional[int] = None,
        template: Optional[Literal["default", "data-science", "web-dev", "video"]] = None,
        input_files: Optional[Sequence[CodeExecuteInputFile]] = None,
        packages: Optional[Sequence[str]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[CodeExecuteData]:
        """Run code in a sandbox.

        Runs a Python, JavaScript or shell program in an isolated sandbox without network and returns what it printed,
        its exit code and the files it made. Files can be placed beside the program, and Python packages installed
        before it starts. Figures of matplotlib come back as files, also without savefig. A program that ran is a
        success whatever its exit code: 124 means the timeout stopped it, 137 that it ran out of memory, each with a
        line on stderr. Nothing is kept between runs. Costs 2 credits per successful call.

        code: The program.
        language: Language of the program: Python 3, JavaScript on Node, or bash.
        timeout: Seconds the program may run.
        template: What must be installed: nothing more, numpy with pandas and matplotlib, Flask with Requests and
            Beautiful Soup or Node, or ffmpeg.
        input_files: Files placed beside the program before it starts, at most 10 MiB together.
        packages: Further packages of the Python Package Index by name, or as name==version; Python only.
        """
        return self._client._call(
            "code.execute",
            {
                "code": code,
                "language": language,
                "timeout": timeout,
                "template": template,
                "input_files": input_files,
                "packages": packages,
            },
            **options,
        )


class SyncCompanies:
    """`client.companies`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def find(
        self,
        *,
        domain: str,
        company_name: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[CompaniesFindData]:
        """Find a company.

        Tells what is known of the company behind a domain: name, industry, size, headquarters, founding, revenue,
        funding, listing, profiles, technologies, logo, colours, value proposition. Vendors of company data, vendors of
        brands and the website itself are asked side by side and merged field by field; metadata.notes says which field
        came from whom and where they disagree. Works without any vendor account, from the website and Wikidata. A
        vendor whose record is about another domain is left out. Parked and redirecting domains are said so in
        metadata.notes. What nobody knows is null; a domain behind which nobody knows a company is no result and costs
        nothing. Costs 3 credits per successful call.

        domain: Domain of the company, such as example.com: no scheme, path or port. Letters of any script may be used.
        company_name: Name of the company, as a hint.
        """
        return self._client._call(
            "companies.find",
            {
                "domain": domain,
                "company_name": company_name,
            },
            **options,
        )


class SyncDocuments:
    """`client.documents`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def extract(
        self,
        *,
        url: Optional[str] = None,
        content: Optional[str] = None,
        extraction_prompt: Optional[str] = None,
        schema: Optional[Mapping[str, object]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[DocumentsExtractData]:
        """Extract data from a document.

        Reads a web page, a document (PDF, also scanned, Office, OpenDocument, EPUB, mail, CSV) or a text and gives the
        data that a JSON Schema or a prompt asks for as an object. With a schema the result fits it. Only texts that
        stand in the source are given: what is absent is null, or left out where the schema takes no null; when a
        required value is not in the source, the answer is no-result and free. Long texts are read in parts whose lists
        are united; truncated says whether something was left out. Costs 3 credits per successful call.

        url: Address of a web page or document (PDF, also scanned; Word, Excel, PowerPoint, OpenDocument, EPUB, mail,
            CSV, text) or of a picture of one; give either this or content.
        content: The text itself, plain, Markdown or HTML; give either this or url.
        extraction_prompt: What to extract, in words. Required unless schema is given; with both it explains the schema.
        schema: JSON Schema (draft 2020-12) of the object to extract, at most 32,768 characters. Let texts that may be
            absent be null.
        """
        return self._client._call(
            "documents.extract",
            {
                "url": url,
                "content": content,
                "extraction_prompt": extraction_prompt,
                "schema": schema,
            },
            **options,
        )


class SyncEmails:
    """`client.emails`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def find(
        self,
        *,
        first_name: str,
        last_name: str,
        domain: str,
        company: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[EmailsFindData]:
        """Find a mail address.

        Finds a person's professional mail address at a company's domain. Vendors are asked one after the other until
        one is sure; then the usual address patterns for the name are checked at the mail server, without sending
        anything. verification_status is valid, catch-all (the domain takes mail for any name) or unknown. confidence, 0
        to 100: from 85 the mailbox is confirmed, 75 the same for a first or last name alone, 60 accepted by a server
        that may accept everybody, or named by a vendor for a catch-all domain, at most 50 not confirmed: shown by the
        site or a vendor (50), by a pattern of the domain (40), by the commonest pattern (30); a vendor with a score of
        its own keeps it. No result is free. Mail services for everybody such as gmail.com are refused. To check an
        address that you have, use emails.verify. Costs 2 credits per successful call.

        first_name: First name, any script; without titles.
        last_name: Last name, with its particles and all of its parts.
        domain: The company's domain as in its mail addresses, such as example.com: no address of a page.
        company: Name of the company, which helps some vendors.
        """
        return self._client._call(
            "emails.find",
            {
                "first_name": first_name,
                "last_name": last_name,
                "domain": domain,
                "company": company,
            },
            **options,
        )

    def verify(
        self,
        *,
        email: str,
        **options: Unpack[CallOptions],
    ) -> Result[EmailsVerifyData]:
        """Verify a mail address.

        Says whether a mail address is deliverable, without sending anything to it: its syntax, the mail servers of its
        domain, and what they say of the mailbox. status is valid, invalid, catch-all (the domain takes mail for any
        name), do_not_mail (disposable, or of a function such as info@), spamtrap, abuse, or unknown, as when mail
        servers cannot be reached or put the question off; sub_status says why: mailbox_not_found, failed_syntax_check,
        no_dns_entries, does_not_accept_mail, mailbox_quota_exceeded, disposable, role_based, greylisted,
        antispam_system, failed_smtp_connection, timeout_exceeded and so on. did_you_mean corrects a mistyped domain.
        Ask again later for unknown; other answers are kept for a day. Costs 1 credit per successful call.

        email: The address alone, without a name or angle brackets; any script.
        """
        return self._client._call(
            "emails.verify",
            {
                "email": email,
            },
            **options,
        )


class SyncFiles:
    """`client.files`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def convert(
        self,
        *,
        file_url: FileInput,
        source_format: str,
        target_format: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[FilesConvertData]:
        """Convert a file.

        Converts a document, sheet, presentation, picture, e-book, sound, film or archive at an address into another
        format, by default PDF. GET /v1/files/formats lists the formats and what each can become. The bytes of the
        source must be what source_format says. Macros and links in documents are off. Pages that become pictures come
        as one ZIP archive, which file_name says. The result lies under a link that expires. A file that cannot be
        converted costs nothing. Costs 2 credits per successful call.

        file_url: Address of the file, public or a link of this gateway.
        source_format: Format of the file, such as docx, xlsx, png, mp3 or epub.
        target_format: Format to make of it.
        """
        return self._client._call(
            "files.convert",
            {
                "file_url": file_url,
                "source_format": source_format,
                "target_format": target_format,
            },
            **options,
        )


class SyncImages:
    """`client.images`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def generate(
        self,
        *,
        prompt: str,
        aspect_ratio: Optional[Literal["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]] = None,
        image_size: Optional[Literal["512px", "1K", "2K", "4K"]] = None,
        reference_image_url: Optional[FileInput] = None,
        skip_default_style: Optional[bool] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ImagesGenerateData]:
        """Generate a picture.

        Generates a picture from a description, and from a reference picture where one is given. The answer has exactly
        the ratio and the pixels asked for: what a vendor makes in another size is cropped in the middle and scaled,
        with a remark in metadata.notes. A house style is added to the prompt unless skip_default_style is set. When a
        vendor refuses the prompt, or gives a black picture in its place, the next one is asked; when all refuse, the
        call is an error and costs nothing. Costs 3 credits per successful call.

        prompt: What the picture shows.
        aspect_ratio: Width to height.
        image_size: Pixels of the longer side: 512, 1024 (1K), 2048 (2K) or 4096 (4K). The shorter side follows from the
            ratio.
        reference_image_url: Address of a picture that the new one is based on, http or https, at most 20 MiB; null for
            none.
        skip_default_style: Sends the prompt as it is, without the house style.
        """
        return self._client._call(
            "images.generate",
            {
                "prompt": prompt,
                "aspect_ratio": aspect_ratio,
                "image_size": image_size,
                "reference_image_url": reference_image_url,
                "skip_default_style": skip_default_style,
            },
            **options,
        )

    def remove_background(
        self,
        *,
        image_url: FileInput,
        size: Optional[Literal["auto", "preview", "full"]] = None,
        format: Optional[Literal["png", "webp"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ImagesRemoveBackgroundData]:
        """Remove the background of a picture.

        Cuts the subject of a picture out of its background: people, products, animals, drawings. The answer is the
        subject on transparent ground, as PNG or WebP. Takes JPEG, PNG, WebP, GIF, TIFF, AVIF and SVG up to 20 MiB and
        40 million pixels, turned upright by its EXIF orientation; of a moving picture the first frame. size auto gives
        up to 10 million pixels, preview up to 0.25 million, full the pixels of the source. A picture in which no
        subject is found costs nothing. Costs 2 credits per successful call.

        image_url: Address of the picture, http or https, or a link of this gateway.
        size: auto: the size of the source, at most 10 million pixels. preview: at most 0.25 million. full: the size of
            the source.
        format: Kind of file; both can be transparent.
        """
        return self._client._call(
            "images.remove_background",
            {
                "image_url": image_url,
                "size": size,
                "format": format,
            },
            **options,
        )


class SyncInvoices:
    """`client.invoices`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def parse(
        self,
        *,
        document_url: FileInput,
        **options: Unpack[CallOptions],
    ) -> Result[InvoicesParseData]:
        """Read an invoice.

        Reads an invoice, receipt or credit note into fields: number, dates, supplier, customer, currency, amounts and
        line items. Takes PDF, pictures (JPEG, PNG, WebP, GIF, TIFF) and electronic invoices (UBL, CII, Factur-X,
        ZUGFeRD, XRechnung, Peppol), also those attached to a PDF, whose data is preferred to what is printed. Amounts
        are checked: when they do not add up the next vendor is asked, and what still contradicts is null, with a remark
        in metadata.notes. Dates are YYYY-MM-DD, rates are percent, the amounts of a credit note are negative. A field
        the document does not state is null. Of several invoices in one file the first is read. Costs 3 credits per
        successful call.

        document_url: Address of the document, http or https: PDF, picture or XML, at most 50 MB and 200 pages.
        """
        return self._client._call(
            "invoices.parse",
            {
                "document_url": document_url,
            },
            **options,
        )


class SyncMessages:
    """`client.messages`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def send(
        self,
        *,
        to: str,
        message: str,
        channel: Optional[Literal["auto", "whatsapp"]] = None,
        from_number: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[MessagesSendData]:
        """Send a message.

        Sends a text to a telephone number by SMS or WhatsApp, never twice: when it is unknown whether a vendor accepted
        it, the call fails and says so. Only countries that the operator allows. WhatsApp delivers free text only to
        people who wrote to the business number within the last 24 hours. POST /v1/estimate shows how many segments an
        SMS takes. Costs 1 credit per successful call.

        to: Number of the recipient, E.164: +491711234567.
        message: The text.
        channel: auto sends by SMS.
        from_number: One of the senders of this account; default: by country.
        """
        return self._client._call(
            "messages.send",
            {
                "to": to,
                "message": message,
                "channel": channel,
                "from_number": from_number,
            },
            **options,
        )


class SyncProfiles:
    """`client.profiles`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def find(
        self,
        *,
        linkedin_url: Optional[FileInput] = None,
        first_name: Optional[str] = None,
        last_name: Optional[str] = None,
        company: Optional[str] = None,
        include_image: Optional[bool] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ProfilesFindData]:
        """Find a professional profile.

        Finds the professional profile of a person: name, headline, current company and title, place, summary, jobs,
        education, skills, picture. Give linkedin_url, or first_name, last_name and company. Several sources are asked
        and merged field by field; metadata.notes says which source a field is from and where sources disagree. Records
        are merged only when company, school or place agree, so that people of one name are never mixed. The current job
        comes first and is the one of company and title. Dates are YYYY-MM, or YYYY where no month is known. What nobody
        knows is null or an empty list; a person whom nobody knows is no-result and free. Costs 3 credits per successful
        call.

        linkedin_url: Address of a LinkedIn profile (/in/ or /pub/, any country). The address itself is never opened.
        first_name: First name; with last_name and company in place of linkedin_url.
        last_name: Last name.
        company: Company the person works or worked for: its name or domain.
        include_image: Whether the address of a picture is wanted.
        """
        return self._client._call(
            "profiles.find",
            {
                "linkedin_url": linkedin_url,
                "first_name": first_name,
                "last_name": last_name,
                "company": company,
                "include_image": include_image,
            },
            **options,
        )


class SyncScreenshots:
    """`client.screenshots`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def capture(
        self,
        *,
        url: str,
        width: Optional[int] = None,
        height: Optional[int] = None,
        format: Optional[Literal["png", "jpeg", "webp", "pdf"]] = None,
        full_page: Optional[bool] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ScreenshotsCaptureData]:
        """Take a picture of a web page.

        Opens a web page in a browser and gives its picture as png, jpeg or webp, or as a pdf of A4 sheets with
        backgrounds. The window has the width and height asked for; full_page takes the whole page instead, with images
        that are loaded only when scrolled to, up to 16,384 pixels high. Consent banners are declined or hidden, chat
        windows hidden, animations stopped. An error page of the site (404, 500) is pictured and its status named in
        metadata.notes; pages that refuse access or cannot be reached are an error and cost nothing. Costs 1 credit per
        successful call.

        url: Address of the page, http or https.
        width: Width of the window in pixels; of no effect on a pdf, which has A4 sheets.
        height: Height of the window in pixels; a picture of the whole page is as high as the page.
        format: Kind of file.
        full_page: The whole page, cut at 16,384 pixels, instead of the window; a pdf always has the whole page.
        """
        return self._client._call(
            "screenshots.capture",
            {
                "url": url,
                "width": width,
                "height": height,
                "format": format,
                "full_page": full_page,
            },
            **options,
        )


class SyncSites:
    """`client.sites`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def intel(
        self,
        *,
        domain: str,
        mode: Optional[Literal["overview", "whois", "dns", "tech-stack", "security", "subdomains"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SitesIntelData]:
        """Look into a domain.

        Tells what a domain is made of. overview: registration, DNS, TLS, hosting and e-mail security in short. whois:
        registration data. dns: all records with SPF (includes and look-ups counted), DMARC, DKIM, DNSSEC, CAA, MTA-STS,
        TLS-RPT and BIMI read. tech-stack: the products that the home page shows, each with its evidence. security: TLS,
        e-mail security and HTTP headers, weighed into a score of 0 to 100 and a grade A to F. subdomains: 90 usual
        names asked for in DNS. Everything is looked up afresh and without an account anywhere. A part that fails is
        null, with a remark in metadata.notes; fields of other modes are null. An unregistered name is no result. Costs
        2 (overview), 1 (whois), 1 (dns), 2 (tech-stack), 2 (security), 2 (subdomains) credits per successful call.

        domain: A domain, or a host below one, such as example.com: no scheme, path or port. Letters of any script may
            be used.
        mode: What to look at; overview is a little of everything.
        """
        return self._client._call(
            "sites.intel",
            {
                "domain": domain,
                "mode": mode,
            },
            **options,
        )


class SyncSounds:
    """`client.sounds`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def generate(
        self,
        *,
        prompt: str,
        duration_seconds: Optional[float] = None,
        duration: Optional[float] = None,
        prompt_influence: Optional[float] = None,
        output_format: Optional[Literal["mp3_44100_128", "mp3_22050_32", "pcm_16000", "pcm_44100", "wav_44100", "ogg_48000"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SoundsGenerateData]:
        """Make a sound.

        Makes a sound effect, ambience, foley or short instrumental music from a description, 0.5 to 22 seconds; never
        spoken words: POST /v1/speech/synthesize speaks. Several things in one prompt are mixed, "then" puts one after
        the other; soft, distant, heavy, fast, echoing and such words change them. With the word loop in the prompt the
        end runs into the beginning. The sound is base64: MP3, Ogg and WAV in stereo where the rate is 44,100 or more,
        mono at 22,050; PCM is signed 16 bit little-endian, mono. A prompt for which nothing fits costs nothing. Costs 4
        credits per successful call.

        prompt: What is to be heard, in English: rain on leaves with distant thunder.
        duration_seconds: Length in seconds, 0.5 to 22; 5 when not given.
        duration: Another name of duration_seconds. Give one of them, or both alike.
        prompt_influence: 0 leaves freedom, 1 keeps to the prompt word by word.
        output_format: Kind of file, samples a second, and kbit/s of MP3.
        """
        return self._client._call(
            "sounds.generate",
            {
                "prompt": prompt,
                "duration_seconds": duration_seconds,
                "duration": duration,
                "prompt_influence": prompt_influence,
                "output_format": output_format,
            },
            **options,
        )


class SyncSpeech:
    """`client.speech`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def synthesize(
        self,
        *,
        text: str,
        voice_model: Optional[str] = None,
        voice_id: Optional[str] = None,
        provider: Optional[str] = None,
        stability: Optional[float] = None,
        similarity_boost: Optional[float] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SpeechSynthesizeData]:
        """Speak a text.

        Speaks a text of at most 2,000 characters and gives the sound, base64, as MP3 or WAV; format says which: what a
        vendor made, and of local voices WAV, or MP3 when it is longer than some 12 seconds. The language is found in
        the text, or is that of the voice. voice_model names a model, or a voice of vendors that have no models, and
        voice_id a voice; a vendor that has no such voice is not asked. provider picks one vendor; auto asks them in
        order. GET /v1/speech/voices lists the voices. Markup such as SSML is spoken as text. Numbers, dates, amounts of
        money and addresses are spoken as words. A text without a letter or digit is refused. Costs 2 credits per
        successful call.

        text: What to say, at most 2,000 characters.
        voice_model: Model such as eleven_multilingual_v2, or a voice such as aura-2-thalia-en; null for the default.
        voice_id: Voice of the vendor, such as alloy or en-us; null for the default.
        provider: Vendor to ask, such as elevenlabs or espeak-ng; auto for the first that can.
        stability: How even the voice is, 0 to 1; for ElevenLabs.
        similarity_boost: How close to the original voice, 0 to 1; for ElevenLabs.
        """
        return self._client._call(
            "speech.synthesize",
            {
                "text": text,
                "voice_model": voice_model,
                "voice_id": voice_id,
                "provider": provider,
                "stability": stability,
                "similarity_boost": similarity_boost,
            },
            **options,
        )

    def transcribe(
        self,
        *,
        audio_url: Optional[FileInput] = None,
        audio_base64: Optional[str] = None,
        language: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SpeechTranscribeData]:
        """Transcribe speech.

        Writes down what is said in a recording, audio or video, with the time of each word. Give either audio_url or
        audio_base64. Times are seconds. Silence, noise and music without words are no-result, which is free. A
        recording has at most 4 hours; use audio.transcribe to tell speakers apart. Costs 2 credits per successful call.

        audio_url: Address of the recording, http or https: audio or video of any usual format, at most 4 hours. Give
            either this or audio_base64.
        audio_base64: The recording in Base64, also as a data: address, at most 24 MiB; give either this or audio_url.
        language: Language that is spoken, such as en, en_us or pt-BR; auto to find out.
        """
        return self._client._call(
            "speech.transcribe",
            {
                "audio_url": audio_url,
                "audio_base64": audio_base64,
                "language": language,
            },
            **options,
        )


class SyncSubtitles:
    """`client.subtitles`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def generate(
        self,
        *,
        audio_url: FileInput,
        language: Optional[str] = None,
        format: Optional[Literal["srt", "vtt"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SubtitlesGenerateData]:
        """Make subtitles.

        Transcribes a recording, audio or video, and makes subtitles of it in SRT or WebVTT: at most two lines of 42
        characters, broken at phrases, on screen for 0.8 to 7 seconds at a speed that can be read, with a dash where
        another speaker begins. Silence, noise and music without words are no-result, which is free. A recording has at
        most 4 hours. Costs 2 credits per successful call.

        audio_url: Address of the recording, http or https: audio or video of any usual format, at most 4 hours.
        language: Language that is spoken, such as en, en_us or pt-BR; auto to find out.
        format: srt: SubRip; vtt: WebVTT.
        """
        return self._client._call(
            "subtitles.generate",
            {
                "audio_url": audio_url,
                "language": language,
                "format": format,
            },
            **options,
        )


class SyncVideo:
    """`client.video`."""

    def __init__(self, client: SyncMethods) -> None:
        self._client = client

    def download(
        self,
        *,
        url: str,
        quality: Optional[str] = None,
        format: Optional[Literal["mp4", "mp3", "m4a"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[VideoDownloadData]:
        """Download a video.

        Downloads a video, or its sound alone, and gives a link to the file that is valid for 1 hour. Video is MP4 in
        the best quality up to the one given; sound is MP3 or M4A. Chapters and subtitles are kept where the site has
        them. Files may have 1 GiB. Live streams, playlists, and videos that are private, removed, restricted by age,
        region or payment, protected by DRM or behind a login are an error that says which of these it is, and cost
        nothing. Costs 3 (video), 2 (audio) credits per successful call.

        url: Address of a page with one video, of a post that contains one, or of a media file; http or https.
        quality: Most lines of the picture, 144 to 4320: the best available up to this is taken. `best` for the best of
            all, `audio` for the sound alone.
        format: mp4 is video; mp3 and m4a are the sound alone. Default mp4, with quality `audio` mp3.
        """
        return self._client._call(
            "video.download",
            {
                "url": url,
                "quality": quality,
                "format": format,
            },
            **options,
        )

    def info(
        self,
        *,
        url: str,
        **options: Unpack[CallOptions],
    ) -> Result[VideoInfoData]:
        """Information on a video.

        Reads title, length, uploader, date, views, thumbnail and the available formats of a video or of a post that
        contains one, on more than 1,700 sites. Nothing is downloaded. Live streams, playlists, and videos that are
        private, removed, restricted by age, region or payment, protected by DRM or behind a login are an error that
        says which of these it is, and cost nothing. Costs 1 credit per successful call.

        url: Address of a page with one video, of a post that contains one, or of a media file; http or https.
        """
        return self._client._call(
            "video.info",
            {
                "url": url,
            },
            **options,
        )


class SyncMethods:
    """Methods of the capabilities; the client implements `_call`."""

    def _call(self, capability: str, params: Mapping[str, object], **options: Unpack[CallOptions]) -> Result[Any]:
        raise NotImplementedError

    def domains(
        self,
        *,
        mode: Optional[Literal["suggest-names", "suggest-extensions", "search-extensions", "check-availability", "pricing", "extension-catalog"]] = None,
        company_name: Optional[str] = None,
        description: Optional[str] = None,
        company_id: Optional[str] = None,
        query: Optional[str] = None,
        domains: Optional[Sequence[str]] = None,
        tlds: Optional[Sequence[str]] = None,
        exact_extension: Optional[bool] = None,
        offset: Optional[int] = None,
        **options: Unpack[CallOptions],
    ) -> Result[DomainsData]:
        """Domain names.

        Suggests names for a business with whether they are free and what they cost (suggest-names), suggests extensions
        that fit it (suggest-extensions), checks one name below every extension, 50 a page (search-extensions), checks
        up to 100 full domains (check-availability), compares what registrars ask (pricing) and lists all extensions
        with length, popularity and theme (extension-catalog). A name of which the registry has no record is called
        available; notes say where no registrar confirmed that, since reserved and premium names look the same. Costs 5
        (suggest-names), 3 (suggest-extensions), 2 (search-extensions), 1 (check-availability), 1 (pricing), 1
        (extension-catalog) credits per successful call.

        mode: suggest-names: brandable names, free ones first; suggest-extensions: extensions that fit a business;
            search-extensions: one name below every extension, 50 a page; check-availability: full domains; pricing:
            what extensions cost; extension-catalog: every extension.
        company_name: Name of the business, for both suggest modes.
        description: What the business does, in a few words or sentences, for both suggest modes.
        company_id: Domain of a company that companies.find knows, whose description grounds the suggestions.
        query: The exact name for search-extensions, such as acme; with an extension for exact_extension.
        domains: Full domains for check-availability, at most 100.
        tlds: Extensions to price, or to keep a search, suggestion or catalogue to; at most 100.
        exact_extension: In search-extensions check only the extension that was typed in query.
        offset: First place of the page, from 0.
        """
        return self._call(
            "domains",
            {
                "mode": mode,
                "company_name": company_name,
                "description": description,
                "company_id": company_id,
                "query": query,
                "domains": domains,
                "tlds": tlds,
                "exact_extension": exact_extension,
                "offset": offset,
            },
            **options,
        )

    def find_emails(
        self,
        *,
        first_name: str,
        last_name: str,
        domain: str,
        company: Optional[str] = None,
        **options: Unpack[CallOptions],
    ) -> Result[EmailsFindData]:
        """Find a mail address.

        Finds a person's professional mail address at a company's domain. Vendors are asked one after the other until
        one is sure; then the usual address patterns for the name are checked at the mail server, without sending
        anything. verification_status is valid, catch-all (the domain takes mail for any name) or unknown. confidence, 0
        to 100: from 85 the mailbox is confirmed, 75 the same for a first or last name alone, 60 accepted by a server
        that may accept everybody, or named by a vendor for a catch-all domain, at most 50 not confirmed: shown by the
        site or a vendor (50), by a pattern of the domain (40), by the commonest pattern (30); a vendor with a score of
        its own keeps it. No result is free. Mail services for everybody such as gmail.com are refused. To check an
        address that you have, use emails.verify. Costs 2 credits per successful call.

        first_name: First name, any script; without titles.
        last_name: Last name, with its particles and all of its parts.
        domain: The company's domain as in its mail addresses, such as example.com: no address of a page.
        company: Name of the company, which helps some vendors.
        """
        return self._call(
            "emails.find",
            {
                "first_name": first_name,
                "last_name": last_name,
                "domain": domain,
                "company": company,
            },
            **options,
        )

    def verify_email(
        self,
        email: str,
        **options: Unpack[CallOptions],
    ) -> Result[EmailsVerifyData]:
        """Verify a mail address.

        Says whether a mail address is deliverable, without sending anything to it: its syntax, the mail servers of its
        domain, and what they say of the mailbox. status is valid, invalid, catch-all (the domain takes mail for any
        name), do_not_mail (disposable, or of a function such as info@), spamtrap, abuse, or unknown, as when mail
        servers cannot be reached or put the question off; sub_status says why: mailbox_not_found, failed_syntax_check,
        no_dns_entries, does_not_accept_mail, mailbox_quota_exceeded, disposable, role_based, greylisted,
        antispam_system, failed_smtp_connection, timeout_exceeded and so on. did_you_mean corrects a mistyped domain.
        Ask again later for unknown; other answers are kept for a day. Costs 1 credit per successful call.

        email: The address alone, without a name or angle brackets; any script.
        """
        return self._call(
            "emails.verify",
            {
                "email": email,
            },
            **options,
        )

    def research(
        self,
        query: str,
        *,
        depth: Optional[Literal["standard", "deep", "comprehensive"]] = None,
        enrich_entities: Optional[bool] = None,
        include_analysis: Optional[bool] = None,
        synthesis: Optional[bool] = None,
        output_schema: Optional[Mapping[str, object]] = None,
        source_types: Optional[Union[Sequence[Literal["web", "news", "academic"]], str]] = None,
        domain_whitelist: Optional[Sequence[str]] = None,
        domain_blacklist: Optional[Sequence[str]] = None,
        max_sources: Optional[int] = None,
        freshness: Optional[Literal["any", "day", "week", "month"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ResearchData]:
        """Research a question.

        Answers a question with a report whose sentences point to the sources they come from. The question is split,
        searched for, the best pages are read, ranked and compared; what stays open is searched for again; people and
        companies are looked up. Sentences with a figure, a name or a date that the cited source does not hold are left
        out. depth sets how much is searched and read. The time and the other budgets are never passed: what is there
        when they end becomes the report, with budget_exhausted. Works without a language model, by sentences taken from
        the sources. source_types adds news and papers; output_schema gives the findings as an object; include_analysis
        adds charts. Costs 10 (standard), 20 (deep), 35 (comprehensive), +5 (include_analysis=true), +2
        (source_types:academic), -3 (enrich_entities=false), -5 (synthesis=false) credits per successful call.

        query: The research question.
        depth: How much is searched and read. standard: up to 5 searches and 8 pages in 60 s; deep: 15 and 20 in 3 min;
            comprehensive: 30 and 40 in 8 min.
        enrich_entities: Look up the people and companies that the sources name.
        include_analysis: Compute charts from the tables of the sources, in a sandbox.
        synthesis: False gives sources and entities without a report.
        output_schema: JSON Schema (draft 2020-12) of an object to fill from the sources, at most 32,768 characters.
        source_types: Where to look: web, news, academic; a list, or one text with commas.
        domain_whitelist: Only sources of these domains, compared by registrable domain.
        domain_blacklist: No sources of these domains, compared by registrable domain.
        max_sources: Most sources in the answer.
        freshness: Only pages of the past day, week or month; any for no limit.
        """
        return self._call(
            "research",
            {
                "query": query,
                "depth": depth,
                "enrich_entities": enrich_entities,
                "include_analysis": include_analysis,
                "synthesis": synthesis,
                "output_schema": output_schema,
                "source_types": source_types,
                "domain_whitelist": domain_whitelist,
                "domain_blacklist": domain_blacklist,
                "max_sources": max_sources,
                "freshness": freshness,
            },
            **options,
        )

    def scrape(
        self,
        url: str,
        *,
        mode: Optional[Literal["fast", "standard", "thorough"]] = None,
        output: Optional[Literal["markdown", "html"]] = None,
        wait_for: Optional[str] = None,
        timeout: Optional[int] = None,
        **options: Unpack[CallOptions],
    ) -> Result[ScrapeData]:
        """Read a web page.

        Reads a web page or an online document and gives its readable content as Markdown (or cleaned HTML) with title,
        description and all links. fast fetches without running scripts and suits articles, documentation, PDF, office
        documents, JSON and text files; standard opens the page in a browser and suits pages built by scripts; thorough
        adds a stealth browser for sites that turn ordinary ones away, and a picture of the page. Pages that refuse
        access, show a captcha or want a login are an error and cost nothing. Costs 1 (fast), 2 (standard), 5 (thorough)
        credits per successful call.

        url: Address of the page, http or https.
        mode: fast: plain fetch; standard: browser; thorough: browser, then a stealth browser when refused.
        output: Form of the content.
        wait_for: CSS selector of an element that must be there before the page is read; fast mode looks for it in the
            page as delivered.
        timeout: Seconds the page may take.
        """
        return self._call(
            "scrape",
            {
                "url": url,
                "mode": mode,
                "output": output,
                "wait_for": wait_for,
                "timeout": timeout,
            },
            **options,
        )

    def search(
        self,
        query: str,
        *,
        mode: Optional[Literal["serp", "ai", "deep"]] = None,
        num_results: Optional[int] = None,
        country: Optional[str] = None,
        freshness: Optional[Literal["any", "day", "week", "month"]] = None,
        **options: Unpack[CallOptions],
    ) -> Result[SearchData]:
        """Search the web.

        Searches the web. Mode ai answers the question in a few sentences with citations and suits questions; serp
        returns the results of search engines as they are (address, title, snippet, knowledge graph, featured snippet)
        and suits finding pages; deep gives both at once. Results can be limited to a country and to the past day, week
        or month. Costs 1 (serp), 2 (ai), 3 (deep) credits per successful call.

        query: What to search for, in words or as a question.
        mode: serp: raw results; ai: an answer with citations; deep: both.
        num_results: Maximum number of organic results.
        country: Country whose results are wanted: two letters (ISO 3166), in any case.
        freshness: Only pages of the past day, week or month; any for no limit.
        """
        return self._call(
            "search",
            {
                "query": query,
                "mode": mode,
                "num_results": num_results,
                "country": country,
                "freshness": freshness,
            },
            **options,
        )

    @property
    def audio(self) -> SyncAudio:
        return SyncAudio(self)

    @property
    def code(self) -> SyncCode:
        return SyncCode(self)

    @property
    def companies(self) -> SyncCompanies:
        return SyncCompanies(self)

    @property
    def documents(self) -> SyncDocuments:
        return SyncDocuments(self)

    @property
    def emails(self) -> SyncEmails:
        return SyncEmails(self)

    @property
    def files(self) -> SyncFiles:
        return SyncFiles(self)

    @property
    def images(self) -> SyncImages:
        return SyncImages(self)

    @property
    def invoices(self) -> SyncInvoices:
        return SyncInvoices(self)

    @property
    def messages(self) -> SyncMessages:
        return SyncMessages(self)

    @property
    def profiles(self) -> SyncProfiles:
        return SyncProfiles(self)

    @property
    def screenshots(self) -> SyncScreenshots:
        return SyncScreenshots(self)

    @property
    def sites(self) -> SyncSites:
        return SyncSites(self)

    @property
    def sounds(self) -> SyncSounds:
        return SyncSounds(self)

    @property
    def speech(self) -> SyncSpeech:
        return SyncSpeech(self)

    @property
    def subtitles(self) -> SyncSubtitles:
        return SyncSubtitles(self)

    @property
    def video(self) -> SyncVideo:
        return SyncVideo(self)


class AsyncAudio:
    """`client.audio`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def transcribe(
        self,
        *,
        audio_url: FileInput,
        language: Optional[str] = None,
        speaker_labels: Optional[bool] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[AudioTranscribeData]:
        """Transcribe a conversation."""
        return await self._client._call(
            "audio.transcribe",
            {
                "audio_url": audio_url,
                "language": language,
                "speaker_labels": speaker_labels,
            },
            **options,
        )


class AsyncCode:
    """`client.code`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def execute(
        self,
        *,
        code: str,
        language: Optional[Literal["python", "javascript", "shell"]] = None,
        timeout: Optional[int] = None,
        template: Optional[Literal["default", "data-science", "web-dev", "video"]] = None,
        input_files: Optional[Sequence[CodeExecuteInputFile]] = None,
        packages: Optional[Sequence[str]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[CodeExecuteData]:
        """Run code in a sandbox."""
        return await self._client._call(
            "code.execute",
            {
                "code": code,
                "language": language,
                "timeout": timeout,
                "template": template,
                "input_files": input_files,
                "packages": packages,
            },
            **options,
        )


class AsyncCompanies:
    """`client.companies`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def find(
        self,
        *,
        domain: str,
        company_name: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[CompaniesFindData]:
        """Find a company."""
        return await self._client._call(
            "companies.find",
            {
                "domain": domain,
                "company_name": company_name,
            },
            **options,
        )


class AsyncDocuments:
    """`client.documents`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def extract(
        self,
        *,
        url: Optional[str] = None,
        content: Optional[str] = None,
        extraction_prompt: Optional[str] = None,
        schema: Optional[Mapping[str, object]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[DocumentsExtractData]:
        """Extract data from a document."""
        return await self._client._call(
            "documents.extract",
            {
                "url": url,
                "content": content,
                "extraction_prompt": extraction_prompt,
                "schema": schema,
            },
            **options,
        )


class AsyncEmails:
    """`client.emails`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def find(
        self,
        *,
        first_name: str,
        last_name: str,
        domain: str,
        company: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[EmailsFindData]:
        """Find a mail address."""
        return await self._client._call(
            "emails.find",
            {
                "first_name": first_name,
                "last_name": last_name,
                "domain": domain,
                "company": company,
            },
            **options,
        )

    async def verify(
        self,
        *,
        email: str,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[EmailsVerifyData]:
        """Verify a mail address."""
        return await self._client._call(
            "emails.verify",
            {
                "email": email,
            },
            **options,
        )


class AsyncFiles:
    """`client.files`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def convert(
        self,
        *,
        file_url: FileInput,
        source_format: str,
        target_format: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[FilesConvertData]:
        """Convert a file."""
        return await self._client._call(
            "files.convert",
            {
                "file_url": file_url,
                "source_format": source_format,
                "target_format": target_format,
            },
            **options,
        )


class AsyncImages:
    """`client.images`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def generate(
        self,
        *,
        prompt: str,
        aspect_ratio: Optional[Literal["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"]] = None,
        image_size: Optional[Literal["512px", "1K", "2K", "4K"]] = None,
        reference_image_url: Optional[FileInput] = None,
        skip_default_style: Optional[bool] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ImagesGenerateData]:
        """Generate a picture."""
        return await self._client._call(
            "images.generate",
            {
                "prompt": prompt,
                "aspect_ratio": aspect_ratio,
                "image_size": image_size,
                "reference_image_url": reference_image_url,
                "skip_default_style": skip_default_style,
            },
            **options,
        )

    async def remove_background(
        self,
        *,
        image_url: FileInput,
        size: Optional[Literal["auto", "preview", "full"]] = None,
        format: Optional[Literal["png", "webp"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ImagesRemoveBackgroundData]:
        """Remove the background of a picture."""
        return await self._client._call(
            "images.remove_background",
            {
                "image_url": image_url,
                "size": size,
                "format": format,
            },
            **options,
        )


class AsyncInvoices:
    """`client.invoices`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def parse(
        self,
        *,
        document_url: FileInput,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[InvoicesParseData]:
        """Read an invoice."""
        return await self._client._call(
            "invoices.parse",
            {
                "document_url": document_url,
            },
            **options,
        )


class AsyncMessages:
    """`client.messages`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def send(
        self,
        *,
        to: str,
        message: str,
        channel: Optional[Literal["auto", "whatsapp"]] = None,
        from_number: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[MessagesSendData]:
        """Send a message."""
        return await self._client._call(
            "messages.send",
            {
                "to": to,
                "message": message,
                "channel": channel,
                "from_number": from_number,
            },
            **options,
        )


class AsyncProfiles:
    """`client.profiles`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def find(
        self,
        *,
        linkedin_url: Optional[FileInput] = None,
        first_name: Optional[str] = None,
        last_name: Optional[str] = None,
        company: Optional[str] = None,
        include_image: Optional[bool] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ProfilesFindData]:
        """Find a professional profile."""
        return await self._client._call(
            "profiles.find",
            {
                "linkedin_url": linkedin_url,
                "first_name": first_name,
                "last_name": last_name,
                "company": company,
                "include_image": include_image,
            },
            **options,
        )


class AsyncScreenshots:
    """`client.screenshots`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def capture(
        self,
        *,
        url: str,
        width: Optional[int] = None,
        height: Optional[int] = None,
        format: Optional[Literal["png", "jpeg", "webp", "pdf"]] = None,
        full_page: Optional[bool] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ScreenshotsCaptureData]:
        """Take a picture of a web page."""
        return await self._client._call(
            "screenshots.capture",
            {
                "url": url,
                "width": width,
                "height": height,
                "format": format,
                "full_page": full_page,
            },
            **options,
        )


class AsyncSites:
    """`client.sites`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def intel(
        self,
        *,
        domain: str,
        mode: Optional[Literal["overview", "whois", "dns", "tech-stack", "security", "subdomains"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SitesIntelData]:
        """Look into a domain."""
        return await self._client._call(
            "sites.intel",
            {
                "domain": domain,
                "mode": mode,
            },
            **options,
        )


class AsyncSounds:
    """`client.sounds`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def generate(
        self,
        *,
        prompt: str,
        duration_seconds: Optional[float] = None,
        duration: Optional[float] = None,
        prompt_influence: Optional[float] = None,
        output_format: Optional[Literal["mp3_44100_128", "mp3_22050_32", "pcm_16000", "pcm_44100", "wav_44100", "ogg_48000"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SoundsGenerateData]:
        """Make a sound."""
        return await self._client._call(
            "sounds.generate",
            {
                "prompt": prompt,
                "duration_seconds": duration_seconds,
                "duration": duration,
                "prompt_influence": prompt_influence,
                "output_format": output_format,
            },
            **options,
        )


class AsyncSpeech:
    """`client.speech`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def synthesize(
        self,
        *,
        text: str,
        voice_model: Optional[str] = None,
        voice_id: Optional[str] = None,
        provider: Optional[str] = None,
        stability: Optional[float] = None,
        similarity_boost: Optional[float] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SpeechSynthesizeData]:
        """Speak a text."""
        return await self._client._call(
            "speech.synthesize",
            {
                "text": text,
                "voice_model": voice_model,
                "voice_id": voice_id,
                "provider": provider,
                "stability": stability,
                "similarity_boost": similarity_boost,
            },
            **options,
        )

    async def transcribe(
        self,
        *,
        audio_url: Optional[FileInput] = None,
        audio_base64: Optional[str] = None,
        language: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SpeechTranscribeData]:
        """Transcribe speech."""
        return await self._client._call(
            "speech.transcribe",
            {
                "audio_url": audio_url,
                "audio_base64": audio_base64,
                "language": language,
            },
            **options,
        )


class AsyncSubtitles:
    """`client.subtitles`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def generate(
        self,
        *,
        audio_url: FileInput,
        language: Optional[str] = None,
        format: Optional[Literal["srt", "vtt"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SubtitlesGenerateData]:
        """Make subtitles."""
        return await self._client._call(
            "subtitles.generate",
            {
                "audio_url": audio_url,
                "language": language,
                "format": format,
            },
            **options,
        )


class AsyncVideo:
    """`client.video`."""

    def __init__(self, client: AsyncMethods) -> None:
        self._client = client

    async def download(
        self,
        *,
        url: str,
        quality: Optional[str] = None,
        format: Optional[Literal["mp4", "mp3", "m4a"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[VideoDownloadData]:
        """Download a video."""
        return await self._client._call(
            "video.download",
            {
                "url": url,
                "quality": quality,
                "format": format,
            },
            **options,
        )

    async def info(
        self,
        *,
        url: str,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[VideoInfoData]:
        """Information on a video."""
        return await self._client._call(
            "video.info",
            {
                "url": url,
            },
            **options,
        )


class AsyncMethods:
    """Methods of the capabilities; the client implements `_call`."""

    async def _call(self, capability: str, params: Mapping[str, object], **options: Unpack[AsyncCallOptions]) -> Result[Any]:
        raise NotImplementedError

    async def domains(
        self,
        *,
        mode: Optional[Literal["suggest-names", "suggest-extensions", "search-extensions", "check-availability", "pricing", "extension-catalog"]] = None,
        company_name: Optional[str] = None,
        description: Optional[str] = None,
        company_id: Optional[str] = None,
        query: Optional[str] = None,
        domains: Optional[Sequence[str]] = None,
        tlds: Optional[Sequence[str]] = None,
        exact_extension: Optional[bool] = None,
        offset: Optional[int] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[DomainsData]:
        """Domain names."""
        return await self._call(
            "domains",
            {
                "mode": mode,
                "company_name": company_name,
                "description": description,
                "company_id": company_id,
                "query": query,
                "domains": domains,
                "tlds": tlds,
                "exact_extension": exact_extension,
                "offset": offset,
            },
            **options,
        )

    async def find_emails(
        self,
        *,
        first_name: str,
        last_name: str,
        domain: str,
        company: Optional[str] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[EmailsFindData]:
        """Find a mail address."""
        return await self._call(
            "emails.find",
            {
                "first_name": first_name,
                "last_name": last_name,
                "domain": domain,
                "company": company,
            },
            **options,
        )

    async def verify_email(
        self,
        email: str,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[EmailsVerifyData]:
        """Verify a mail address."""
        return await self._call(
            "emails.verify",
            {
                "email": email,
            },
            **options,
        )

    async def research(
        self,
        query: str,
        *,
        depth: Optional[Literal["standard", "deep", "comprehensive"]] = None,
        enrich_entities: Optional[bool] = None,
        include_analysis: Optional[bool] = None,
        synthesis: Optional[bool] = None,
        output_schema: Optional[Mapping[str, object]] = None,
        source_types: Optional[Union[Sequence[Literal["web", "news", "academic"]], str]] = None,
        domain_whitelist: Optional[Sequence[str]] = None,
        domain_blacklist: Optional[Sequence[str]] = None,
        max_sources: Optional[int] = None,
        freshness: Optional[Literal["any", "day", "week", "month"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ResearchData]:
        """Research a question."""
        return await self._call(
            "research",
            {
                "query": query,
                "depth": depth,
                "enrich_entities": enrich_entities,
                "include_analysis": include_analysis,
                "synthesis": synthesis,
                "output_schema": output_schema,
                "source_types": source_types,
                "domain_whitelist": domain_whitelist,
                "domain_blacklist": domain_blacklist,
                "max_sources": max_sources,
                "freshness": freshness,
            },
            **options,
        )

    async def scrape(
        self,
        url: str,
        *,
        mode: Optional[Literal["fast", "standard", "thorough"]] = None,
        output: Optional[Literal["markdown", "html"]] = None,
        wait_for: Optional[str] = None,
        timeout: Optional[int] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[ScrapeData]:
        """Read a web page."""
        return await self._call(
            "scrape",
            {
                "url": url,
                "mode": mode,
                "output": output,
                "wait_for": wait_for,
                "timeout": timeout,
            },
            **options,
        )

    async def search(
        self,
        query: str,
        *,
        mode: Optional[Literal["serp", "ai", "deep"]] = None,
        num_results: Optional[int] = None,
        country: Optional[str] = None,
        freshness: Optional[Literal["any", "day", "week", "month"]] = None,
        **options: Unpack[AsyncCallOptions],
    ) -> Result[SearchData]:
        """Search the web."""
        return await self._call(
            "search",
            {
                "query": query,
                "mode": mode,
                "num_results": num_results,
                "country": country,
                "freshness": freshness,
            },
            **options,
        )

    @property
    def audio(self) -> AsyncAudio:
        return AsyncAudio(self)

    @property
    def code(self) -> AsyncCode:
        return AsyncCode(self)

    @property
    def companies(self) -> AsyncCompanies:
        return AsyncCompanies(self)

    @property
    def documents(self) -> AsyncDocuments:
        return AsyncDocuments(self)

    @property
    def emails(self) -> AsyncEmails:
        return AsyncEmails(self)

    @property
    def files(self) -> AsyncFiles:
        return AsyncFiles(self)

    @property
    def images(self) -> AsyncImages:
        return AsyncImages(self)

    @property
    def invoices(self) -> AsyncInvoices:
        return AsyncInvoices(self)

    @property
    def messages(self) -> AsyncMessages:
        return AsyncMessages(self)

    @property
    def profiles(self) -> AsyncProfiles:
        return AsyncProfiles(self)

    @property
    def screenshots(self) -> AsyncScreenshots:
        return AsyncScreenshots(self)

    @property
    def sites(self) -> AsyncSites:
        return AsyncSites(self)

    @property
    def sounds(self) -> AsyncSounds:
        return AsyncSounds(self)

    @property
    def speech(self) -> AsyncSpeech:
        return AsyncSpeech(self)

    @property
    def subtitles(self) -> AsyncSubtitles:
        return AsyncSubtitles(self)

    @property
    def video(self) -> AsyncVideo:
        return AsyncVideo(self)
