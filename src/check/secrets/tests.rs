//! What is a secret, and what only looks so. Every value is invented.

use super::*;
use crate::check::tests::deep;

/// A token of a form, put together so that no scanner of repositories takes the test for a leak.
fn token(start: &str, rest: &str) -> String {
    format!("{start}{rest}")
}

#[test]
fn secrets_are_found() {
    let tokens = [
        ("AWS access key", token("AKIA", "QZ7XLM4TKWP2DN5R")),
        ("GitHub token", token("ghp_", "k3Jd8sLq0Zx7Vb2Nm5Tg9Yh4Rw1Pc6Fa8Ue3")),
        ("GitLab token", token("glpat-", "x7Kd93mQpZ2vB8nL4tRw")),
        ("Slack token", token("xoxb-", "2349817263-9182736450-aBcDk29dLq")),
        ("Stripe key", token("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc")),
        ("Google key", token("AIza", "SyD9kX2mQ8vL4nR7tW1pZ5cF0bH3jK6yU")),
        ("npm token", token("npm_", "k3Jd8sLq0Zx7Vb2Nm5Tg9Yh4Rw1Pc6Fa8Ue3")),
        ("API key", token("sk-", "proj-9dK2mQ8vL4nR7tW1pZ5cF0bH")),
        ("JSON web token", token("eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.k9dLq0Zx7Vb2Nm5T")),
    ];
    for (kind, token) in &tokens {
        let text = format!("The deploy host has {token}, ask before use.");
        let found = find(&text);
        let [secret] = found.as_slice() else { panic!("{kind}: {found:?}") };
        assert_eq!((secret.kind, text.get(secret.range.clone()).unwrap()), (*kind, token.as_str()));
    }
    for (text, value) in [
        ("Staging login uses password = q7kz2mwp9xvt4n on the old host.", "q7kz2mwp9xvt4n"),
        ("DB_PASSWORD=\"Vr4ng!elbo\"", "Vr4ng!elbo"),
        ("The admin password is Qu1rky-Osprey77.", "Qu1rky-Osprey77"),
        ("password for the staging host: Otter2Marble9", "Otter2Marble9"),
        ("api_key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
        ("stripeSecret = 'd9Kq2Lm5Zx8Vb1'", "d9Kq2Lm5Zx8Vb1"),
        ("La contraseña: Gorrion!482", "Gorrion!482"),
        ("La contraseña del servidor es Gorrion!482", "Gorrion!482"),
        ("Mot de passe : Hibou!73vert", "Hibou!73vert"),
        ("Passwort: Dachs_9Ufer", "Dachs_9Ufer"),
        ("Das Passwort lautet Dachs9Ufer22.", "Dachs9Ufer22"),
        ("A senha do banco é Tucano#5521", "Tucano#5521"),
        ("パスワードは Kitsune2931 です", "Kitsune2931"),
        ("パスワード：Kitsune2931", "Kitsune2931"),
        ("비밀번호는 Horangi7712", "Horangi7712"),
        ("密码：Panda8842x", "Panda8842x"),
        ("密码是 Panda8842x", "Panda8842x"),
        ("mysql --password Marmot88x --host db", "Marmot88x"),
        ("curl -u bob:Marmot88x https://api.example.com", "Marmot88x"),
        ("postgres://app:Marmot88x@db.example.com/main", "Marmot88x"),
        ("{\"token\": \"d9Kq2Lm5Zx8Vb1Nq\"}", "d9Kq2Lm5Zx8Vb1Nq"),
        ("Authorization: Bearer d9Kq2Lm5Zx8Vb1Nq44", "d9Kq2Lm5Zx8Vb1Nq44"),
        ("pwd: **Stoat5512**", "Stoat5512"),
    ] {
        let found: Vec<_> = find(text).into_iter().map(|secret| text.get(secret.range).unwrap()).collect();
        assert_eq!(found, [value], "{text}");
    }
    let key = format!(
        "-----BEGIN {} KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSj\n-----END {} KEY-----\n",
        "PRIVATE", "PRIVATE"
    );
    assert_eq!(
        find(&key).first().map(|secret| (secret.kind, secret.range.len())),
        Some(("private key", key.len() - 1))
    );
}

#[test]
fn what_is_no_secret() {
    for text in [
        "password = <token>",
        "token: $TOKEN and api key = ${API_KEY}",
        "password: xxxxxxxx",
        "password = changeme",
        "token: ${{ secrets.NPM_TOKEN }}",
        "password = os.environ[\"DB_PASSWORD\"]",
        "const token = process.env.GH_TOKEN",
        "The password must be 12 characters long.",
        "The password is rotated every 90 days by the platform team.",
        "secret: required",
        "The session token is refreshed in the background.",
        "Token limit: 200000 for the large model.",
        "token budget = 12000tokens",
        "password policy: min8chars",
        "The commit 4e8725f0c1d2a3b4c5d6e7f8091a2b3c4d5e6f70 fixed it.",
        "id 6f0c1c3e-8f6e-4a55-9c0b-0d6c1f0a2b7d",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3dKq2Lm5Zx8Vb1Nq44d9Kq2Lm5Zx8Vb1Nq44 key",
        "Secrets are in 1Password, item deploy-2024.",
        "API key: stored in vault/payments/prod",
        "secret = settings.stripe_secret",
        "password: `DB_PASSWORD`",
        "access key: config/keys/deploy.pem",
        "The password changed: 2026-03-05",
        "token = get_token(user1, user2)",
        "tokens: input_tokens + output_tokens",
        "Use design tokens: color.primary.500 for links",
        "La contraseña es obligatoria y tiene 12 caracteres.",
        "Das Passwort ist im Tresor.",
        "Le mot de passe est dans le coffre.",
        "A senha é pedida no login.",
        "パスワードは12文字以上にする。",
        "비밀번호는 열두 자 이상이다.",
        "密码是必填项。",
        "postgres://user:password@localhost/db",
        "postgres://user:${PASS}@localhost/db",
        "the key sk-your-key-goes-here-please",
        "css class sk-loading-spinner-container-wide",
        "It begins with -----BEGIN PRIVATE KEY----- and is 2 kB.",
        "Bearer tokens are checked by the gateway.",
        "model: claude-sonnet-4 token=claude-sonnet-4",
        "originSessionId: 6f0c1c3e-8f6e-4a55-9c0b-0d6c1f0a2b7d",
    ] {
        assert_eq!(find(text), [], "{text}");
    }
}

#[test]
fn nothing_of_a_secret_is_shown() {
    let text = "---\nname: a\ndescription: password = q7kz2mwp9xvt4n\ntype: user\n---\n\nIt was agreed yesterday that password = q7kz2mwp9xvt4n stays.\n";
    let findings = deep(text, "");
    assert!(findings.iter().filter(|finding| finding.check.0 == "secret").count() == 2, "{findings:?}");
    for finding in &findings {
        assert!(!format!("{finding:?}").contains("q7kz2"), "{finding:?}");
    }
    assert_eq!(findings[0].fixes, [Fix::Edit, Fix::Purge]);
    assert_eq!(text.get(findings[0].range.clone().unwrap()).unwrap(), "q7kz2mwp9xvt4n");
}

#[test]
fn masking_keeps_the_rest() {
    assert_eq!(mask("password = q7kz2mwp9xvt4n, ok"), "password = q7k…[14], ok");
    assert!(matches!(mask("no such thing"), Cow::Borrowed(_)));
    assert_eq!(mask("密码：Panda8842x。"), "密码：Pa…[10]。");
}

#[test]
fn a_password_without_a_sign_and_one_within_an_assignment() {
    for (text, value) in [
        ("Log in as `kiosk`, password gR7pLm2x!q, from the lab only.", "gR7pLm2x!q"),
        ("Benutzer kiosk, Passwort `tUnDra_41Xq`", "tUnDra_41Xq"),
        ("usuario kiosco, contraseña gR7pLm2x!q", "gR7pLm2x!q"),
        ("The token of the kiosk is `api_key = d9Kq2Lm5Zx8Vb1Nq44`", "d9Kq2Lm5Zx8Vb1Nq44"),
        ("Das Token lautet `client_secret: d9Kq2Lm5Zx8Vb1Nq44`", "d9Kq2Lm5Zx8Vb1Nq44"),
    ] {
        let found: Vec<_> = find(text).into_iter().map(|secret| text.get(secret.range).unwrap()).collect();
        assert_eq!(found, [value], "{text}");
    }
    for text in [
        "The password PasswordField2 shows is hashed.",
        "Set the password after version2024 only.",
        "Passwords expire after 90 days.",
        "the password manager1 team",
        "Reset the password resetToken42 expects.",
    ] {
        assert_eq!(find(text), [], "{text}");
    }
}
