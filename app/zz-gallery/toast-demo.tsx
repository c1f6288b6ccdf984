"use client";
import { Button } from "#ui/button";
import { useToast } from "#ui/toast";

export function ToastDemo() {
  const toast = useToast();
  return (
    <>
      <Button onClick={() => toast({ tone: "good", title: "Revoked", description: "Vault Keeper lost its access." })}>
        Toast
      </Button>
      <Button onClick={() => toast({ tone: "bad", title: "Not saved", description: "The name is taken." })}>
        Bad toast
      </Button>
    </>
  );
}
