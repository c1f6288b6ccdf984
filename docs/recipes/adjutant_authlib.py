from urllib.parse import parse_qsl, urlsplit

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session


class Adjutant:
    def __init__(self, base_url, client_id, client_secret, redirect_uri):
        self.base_url = base_url
        self.registration = {
            "client_id": client_id,
            "client_secret": client_secret,
            "redirect_uri": redirect_uri,
            "token_endpoint_auth_method": "client_secret_basic",
            "code_challenge_method": "S256",
        }

    def session(self, **more):
        return OAuth2Session(**self.registration, **more)

    def ask(self, scope):
        """1. Send the player to the address. Keep state and verifier in their session."""
        verifier = generate_token(48)
        url, state = self.session(scope=scope).create_authorization_url(
            self.base_url + "/oauth/authorize", code_verifier=verifier
        )
        return url, state, verifier

    def come_back(self, address, state, verifier):
        """2. They come back to the redirect URI; `address` is all of it. None: they denied."""
        # The library does not look at refusals, nor at the issuer.
        answer = dict(parse_qsl(urlsplit(address).query))
        if answer.get("state") != state or answer.get("iss") != self.base_url:
            raise ValueError("This answer is not ours.")
        if answer.get("error") == "access_denied":
            return None
        return self.session(state=state).fetch_token(
            self.base_url + "/oauth/token", authorization_response=address, code_verifier=verifier
        )

    def call(self, access_token, path):
        """3. Call."""
        session = self.session(token={"access_token": access_token, "token_type": "Bearer"})
        answer = session.get(self.base_url + path, timeout=10)
        answer.raise_for_status()
        return answer.json()

    def refresh(self, refresh_token):
        """4. Refresh. Store the new refresh token before you use the new access token."""
        return self.session().refresh_token(self.base_url + "/oauth/token", refresh_token=refresh_token)

    def revoke(self, token):
        """5. Sign out. The refresh token takes its access token along."""
        self.session().revoke_token(self.base_url + "/oauth/revoke", token=token).raise_for_status()
