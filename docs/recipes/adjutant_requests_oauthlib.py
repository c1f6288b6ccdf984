import base64
import hashlib
import os
import secrets

import requests
from oauthlib.oauth2 import AccessDeniedError
from requests_oauthlib import OAuth2Session  # 2.0 or later

# A player may grant less than was asked; the library takes that for a fault unless told otherwise.
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"


class Adjutant:
    def __init__(self, base_url, client_id, client_secret, redirect_uri):
        self.base_url, self.client_id, self.redirect_uri = base_url, client_id, redirect_uri
        # As `auth` the secret goes into the header.
        self.auth = (client_id, client_secret)
        if base_url.startswith("http:"):  # Plain http, on your own machine only.
            os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

    def session(self, **more):
        return OAuth2Session(self.client_id, redirect_uri=self.redirect_uri, **more)

    def ask(self, scope):
        """1. Send the player to the address. Keep state and verifier in their session."""
        verifier = secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        url, state = self.session(scope=scope.split()).authorization_url(
            self.base_url + "/oauth/authorize", code_challenge=challenge, code_challenge_method="S256"
        )
        return url, state, verifier

    def come_back(self, address, state, verifier):
        """2. They come back to the redirect URI; `address` is all of it. None: they denied."""
        try:
            return self.session(state=state).fetch_token(
                self.base_url + "/oauth/token", authorization_response=address, auth=self.auth, code_verifier=verifier
            )
        except AccessDeniedError:
            return None

    def call(self, access_token, path):
        """3. Call."""
        answer = self.session(token={"access_token": access_token}).get(self.base_url + path, timeout=10)
        answer.raise_for_status()
        return answer.json()

    def refresh(self, refresh_token):
        """4. Refresh. Store the new refresh token before you use the new access token."""
        return self.session().refresh_token(self.base_url + "/oauth/token", refresh_token, auth=self.auth)

    def revoke(self, token):
        """5. Sign out. The refresh token takes its access token along."""
        answer = requests.post(self.base_url + "/oauth/revoke", data={"token": token}, auth=self.auth, timeout=10)
        answer.raise_for_status()
