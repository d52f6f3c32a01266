//! Words that tell what a path or a name is: known endings, programs, namespaces.
use std::collections::HashSet;
use std::sync::LazyLock;

/// A set of words.
pub(super) type Words = LazyLock<HashSet<&'static str>>;

macro_rules! words {
    ($text:literal) => {
        LazyLock::new(|| $text.split_ascii_whitespace().collect())
    };
}
pub(super) use words;

/// Whether this is a well-known program, whose flags are its own.
#[must_use]
pub fn is_program(name: &str) -> bool {
    PROGRAMS.contains(name)
}

/// Endings of files, in lower case.
pub(super) static EXTENSIONS: Words = words!(
    "7z adoc arrow asm astro avsc awk bak bash bat bazel bib bin bmp bz2 bzl c cabal cc cer cfg cfm cjs clj \
     cljc cljs cmake cmd conf config cpp cr crt cs csproj css csv cts cu cue cuh cxx d dart dat db desktop \
     dhall diff dll doc dockerfile docx dylib editorconfig edn ejs el env erb erl ex example exe exs f90 f95 \
     feather feature fish frag fs gemspec gguf gif gitattributes gitignore glsl go gql gradle graphql \
     graphqls groovy gz h h5 hbs hcl hh hlsl hpp hrl hs htm html hxx ico ini ipynb j2 jar java jinja jl jpeg \
     jpg js json json5 jsonc jsonl jsx just justfile key kt kts less liquid lisp lock log lua m make mako map \
     markdown md mdc mdx metal mjs mk ml mli mm mov mp3 mp4 mts ndjson nim nix npy npz odt onnx orig otf \
     parquet pas patch pdf pem php pid pkl pl plist pm png po podspec pot ppt pptx properties proto ps ps1 pt \
     pth pug pxd py pyi pyx r rake rb rego resx rmd rs rst s safetensors sample sass sbt scala scm scss sed \
     service sh sln snap so sock sol spec sql sqlite sqlite3 storyboard strings styl svelte svg swift swp tar \
     template tex tf tfvars tgz thrift timer tmp tmpl toml tpl ts tsv tsx ttf twig txt v vb vcxproj vert vim \
     vue war wasm wav webp wgsl whl woff woff2 xaml xcconfig xhtml xib xls xlsx xml xsd xsl xz yaml yml zig \
     zip zsh"
);
/// Endings that keys and members have too: alone they make no file.
pub(super) static AMBIGUOUS: Words = words!(
    "bin config cr cs cu cue d db desktop diff el env ex example feature fs just key lock log m make map \
     metal nim patch pem pid pl po pot properties pt r rs_ s sample service snap sock sol spec strings \
     template timer v"
);
/// Files that are known without an ending.
pub(super) static SPECIAL: Words = words!(
    ".babelrc .clang-format .clang-tidy .dockerignore .editorconfig .env .envrc .eslintrc .flake8 \
     .gitattributes .gitignore .gitmodules .mailmap .npmrc .nvmrc .prettierrc .pylintrc .rubocop.yml \
     .tool-versions BUILD Brewfile CMakeLists.txt CODEOWNERS Caddyfile Containerfile Dockerfile Earthfile \
     Fastfile GNUmakefile Gemfile Jenkinsfile Justfile LICENSE Makefile Pipfile Podfile Procfile Rakefile \
     Tiltfile Vagrantfile WORKSPACE justfile makefile"
);
/// Directories that projects have at their top.
pub(super) static ROOTS: Words = words!(
    ".agent .circleci .claude .github .gitlab .vscode api app apps assets backend bench benches bin build \
     charts ci client clients cmd common components conf config configs controllers core crates cypress data \
     database db deploy deployment doc docs e2e example examples extensions fixtures frontend functions helm \
     hooks i18n include infra internal jobs k8s lambda lib libs locales migrations models module modules \
     notebooks ops packages pages pkg playwright plugin plugins proto public schema schemas script scripts \
     server service services shared spec specs src static store stores styles templates terraform test tests \
     third_party tool tools util utils vendor views web worker workers"
);
/// First parts of branch names and the like.
pub(super) static REFS: Words = words!(
    "HEAD backport bugfix chore dependabot develop experiment feat feature features fix fixes heads hotfix \
     origin perf refactor refs release releases renovate revert spike tags topic upstream user users wip"
);
/// Last labels of names on the network.
pub(super) static HOSTS: Words = words!(
    "ai app biz cloud cn com de dev edu eu example fr gov in info internal invalid io jp kr lan local me net \
     online org sh site tech test tv uk us xyz"
);
/// Names of products that look like files, in lower case.
pub(super) static PRODUCTS: Words = words!(
    "adonis.js alpine.js angular.js asp.net babylon.js backbone.js bun.sh chart.js crates.io d3.js day.js \
     deno.js discord.js docs.rs electron.js ember.js express.js fastify.js handlebars.js hapi.js knockout.js \
     koa.js leaflet.js lit.js meteor.js moment.js nest.js nestjs next.js node.js nuxt.js p5.js phaser.js \
     pixi.js plotly.js preact.js react.js require.js socket.io solid.js svelte.js tensorflow.js three.js \
     underscore.js vb.net video.js vue.js"
);
/// Programs that many people have, whose flags are their own.
pub(super) static PROGRAMS: Words = words!(
    "ab ack act actionlint adb ag aider alembic ansible ansible-playbook apk apt apt-get artisan awk aws az \
     base64 bash bat bazel biome black brew buck buf buildah bun bundle bunx cargo cargo-nextest cat celery \
     chmod chown clang clang++ clang-format clang-tidy claude clippy-driver cmake code codex composer conda \
     convert coverage cp criterion crontab ctest curl cursor cut cypress date delta deno df diesel diff difft \
     dig django-admin dnf docker docker-compose doctl dotnet drizzle-kit du eas echo egrep electron emacs \
     entr env esbuild eslint expo eza fastlane fd ffmpeg ffprobe fgrep find fish flake8 flask flatpak flyctl \
     flyway free fzf g++ gcc gcloud gdb gem gh git gitleaks glab go gofmt golangci-lint gotestsum gpg gradle \
     gradlew grep grpcurl grype gunicorn gunzip gzip hadolint hatch head helm heroku hg htop http hub husky \
     hyperfine isort java javac jest jj journalctl jq jupyter just k6 k9s kafka-topics kill kind knex kotlinc \
     kubectl kustomize latexmk launchctl lefthook lerna less liquibase llama-cli lldb ln locust ls lsof \
     ltrace lua magick make mamba meson minikube mkdir mocha mongo mongodump mongosh more msbuild mv mvn mypy \
     mysql mysqldump netlify netstat ninja nix nix-build nix-shell node nodemon nohup nox npm npx nslookup \
     nuget nvim nx od ollama open openssl packer pacman pandoc patch pbcopy pdflatex pdm perf perl pg_dump \
     pg_restore php phpunit ping pip pip3 pipx pkill playwright pnpm pod podman poetry pre-commit prettier \
     printf prisma protoc ps psql pulumi pylint pyright pytest python python3 rails rake redis-cli rg ripgrep \
     rm rollup rspec rsync rubocop ruby ruff rustc rustfmt rustup say sbt scala scp screen sed semgrep \
     sequelize service sftp sh shellcheck shfmt skopeo sleep snap sort sqlite3 sqlx ss ssh ssh-keygen \
     storybook strace subl sudo svn swift syft systemctl tail tar task tauri tee terraform time timeout tmux \
     tofu top touch tox tr tree trivy trunk ts-node tsc tsx turbo uniq unzip uv uvicorn uvx vagrant valgrind \
     vercel vim vite vitest wasm-bindgen wasm-pack watch wc webpack wget wrangler wrk xargs xcodebuild \
     xdg-open xxd yarn yq yum zip zsh"
);
/// Programs that run what the project holds.
pub(super) static RUNNERS: Words = words!(
    "Rscript bash bun bunx deno docker env fish go java julia lua make node nodemon npx perl php pipx poetry \
     python python3 ruby sh sudo ts-node tsx uv zsh"
);
/// Namespaces of languages and of libraries that everyone has.
pub(super) static NAMESPACES: Words = words!(
    "Array Arrays Buffer Collections Console Date Enumerable Error Intl JSON Map Math Number Object Objects \
     Optional Promise React Reflect Set Stream String Symbol System Task alloc anyhow asyncio bufio bytes \
     chrono clap cls collections console context core crate cy datetime docker document errors expect exports \
     fmt fs functools git http io ioutil itertools jest json kubectl localStorage logging math module \
     navigator net np os path pathlib pd plt process pytest rand re regex self serde serde_json \
     sessionStorage shutil sklearn std strconv strings subprocess super sync sys tf this thiserror time tokio \
     torch typing unittest vi window"
);
/// Environment variables of the system and of well-known programs.
pub(super) static SYSTEM: Words = words!(
    "ANTHROPIC_API_KEY APPDATA CI CLAUDE_CONFIG_DIR CLICOLOR COMPOSE_PROJECT_NAME CUDA_VISIBLE_DEVICES \
     DATABASE_URL_EXAMPLE DEBUG DISPLAY EDITOR FORCE_COLOR GOFLAGS GOPATH GOROOT HOME HOSTNAME HTTPS_PROXY \
     HTTP_PROXY JAVA_HOME KUBECONFIG LANG LD_LIBRARY_PATH LD_PRELOAD LOCALAPPDATA MAX_PATH NODE_ENV \
     NODE_OPTIONS NODE_PATH NOT_NULL NO_COLOR NO_PROXY OPENAI_API_KEY PAGER PATH PATH_MAX PRIMARY_KEY \
     PROGRAMFILES PS1 PWD PYTHONPATH PYTHONUNBUFFERED READ_ONLY RUSTFLAGS RUST_BACKTRACE RUST_LOG SHELL \
     SSH_AUTH_SOCK TEMP TERM TMP TMPDIR TODO_FIXME TZ USER USERPROFILE UTF_8 VIRTUAL_ENV VISUAL \
     WAYLAND_DISPLAY"
);
/// First parts of routes of web services.
pub(super) const METHOD_ROOTS: &[&str] =
    &["api", "v1", "v2", "v3", "rest", "graphql", "health", "healthz", "auth", "webhooks"];
/// The types of media.
pub(super) const MEDIA: &[&str] =
    &["application", "audio", "font", "image", "message", "model", "multipart", "text", "video"];
/// Words that people join with a slash.
pub(super) const PAIRS: &[(&str, &str)] = &[
    ("and", "or"),
    ("client", "server"),
    ("read", "write"),
    ("input", "output"),
    ("yes", "no"),
    ("on", "off"),
    ("true", "false"),
    ("he", "she"),
    ("his", "her"),
    ("him", "her"),
    ("s", "he"),
    ("dev", "prod"),
    ("staging", "prod"),
    ("staging", "production"),
    ("start", "end"),
    ("start", "stop"),
    ("get", "set"),
    ("push", "pull"),
    ("add", "remove"),
    ("before", "after"),
    ("http", "https"),
    ("request", "response"),
    ("frontend", "backend"),
    ("local", "remote"),
    ("up", "down"),
    ("left", "right"),
    ("open", "close"),
    ("key", "value"),
    ("name", "value"),
    ("pass", "fail"),
    ("success", "failure"),
    ("create", "update"),
    ("update", "delete"),
    ("insert", "update"),
    ("import", "export"),
    ("min", "max"),
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("encode", "decode"),
    ("build", "test"),
    ("lint", "test"),
    ("producer", "consumer"),
    ("master", "slave"),
    ("primary", "replica"),
    ("user", "group"),
    ("owner", "repo"),
    ("org", "repo"),
    ("tests", "docs"),
    ("public", "private"),
    ("sync", "async"),
    ("host", "port"),
    ("login", "logout"),
    ("lock", "unlock"),
    ("load", "save"),
    ("old", "new"),
    ("merge", "rebase"),
];
